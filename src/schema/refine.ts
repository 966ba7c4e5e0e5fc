import { deepFreeze } from "../core/plain.js";
import { refinedAttributes } from "../domain/columns.js";
import type { Schema } from "./schema.js";

/**
 * The schema with the codes that rows need if queries compare the values of some columns.
 * @param columns indices of attributes
 */
export function refined(schema: Schema, columns: Iterable<number>): Schema {
  const attributes = refinedAttributes(schema, new Set(columns));
  const isSame = attributes.every(({ fine }, at) => fine === schema.attributes[at].fine);
  return isSame ? schema : Object.freeze({ ...schema, attributes: deepFreeze(attributes) });
}

/** The names of the columns that have finer codes than cells, in the schema's order. */
export const fineColumns = ({ attributes }: Pick<Schema, "attributes">): string[] =>
  attributes.flatMap(({ name, fine }) => (fine === undefined ? [] : [name]));
