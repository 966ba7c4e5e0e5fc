// What mechanisms share whose rows are best responses.
import type { Attribute } from "../domain/attribute.js";
import { ResponsesModel } from "../models/responses.js";
import type { Query } from "../queries/query.js";

/** The cells that a model responds to at most, and their columns, as plans state its memory. */
const CELLS = 1e5;
const ORDER = 8;

/** The bytes that a model of best responses takes at most. */
export const responseBytes = (attributes: readonly Attribute[], _: readonly Query[], rows: number): number =>
  ResponsesModel.bytes(attributes, rows, CELLS, ORDER);
