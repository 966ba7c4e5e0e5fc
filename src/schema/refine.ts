import { deepFreeze } from "../core/plain.js";
import type { Attribute } from "../domain/attribute.js";
import { fineCodes } from "../domain/grid.js";
import type { Schema } from "./schema.js";

/**
 * The schema with the codes that rows need if queries compare the values of some columns with thresholds: tree columns
 * among these get finer codes than their leaves, and no other column does. The same columns always give the same codes.
 * @param columns indices of attributes
 */
export function refined(schema: Schema, columns: Iterable<number>): Schema {
  const compared = new Set(columns);
  const modelled = schema.fields.filter(({ domain }) => domain);
  const attributes = schema.attributes.map(({ fine: _, ...attribute }, at): Attribute => {
    const { domain } = modelled[at];
    const fine = compared.has(at) && domain!.kind === "grid" ? fineCodes(domain!) : undefined;
    return fine === undefined ? attribute : { ...attribute, fine };
  });
  const isSame = attributes.every(({ fine }, at) => fine === schema.attributes[at].fine);
  return isSame ? schema : Object.freeze({ ...schema, attributes: deepFreeze(attributes) });
}

/** The names of the columns that have finer codes than cells, in the schema's order. */
export const fineColumns = ({ attributes }: Pick<Schema, "attributes">): string[] =>
  attributes.flatMap(({ name, fine }) => (fine === undefined ? [] : [name]));
