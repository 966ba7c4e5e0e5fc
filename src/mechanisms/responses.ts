// What mechanisms share whose rows are best responses.
import type { Attribute } from "../domain/attribute.js";
import { ResponsesModel } from "../models/responses.js";
import type { Query } from "../queries/query.js";
import { MOST_CHOICES } from "../selection/signed.js";

/** The columns of cells that a model responds to, at most, as plans state its memory. */
const ORDER = 8;

/** The bytes that a model of best responses takes at most. */
export const responseBytes = (attributes: readonly Attribute[], _: readonly Query[], rows: number): number =>
  ResponsesModel.bytes(attributes, rows, MOST_CHOICES, ORDER);
