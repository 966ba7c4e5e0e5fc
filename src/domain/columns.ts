import type { Attribute } from "./attribute.js";
import type { Field } from "./field.js";
import { fineCodes } from "./grid.js";

/** The columns of a table: a part of its schema. */
export interface Columns {
  readonly fields: readonly Field[];
  /** The modelled fields as queries see them, in the schema's order. */
  readonly attributes: readonly Attribute[];
}

/**
 * The attributes with the codes that rows need if queries compare the values of some columns: tree columns among these
 * get finer codes than their leaves, and no other column does. The same columns always give the same codes.
 * @param compared indices of attributes
 */
export function refinedAttributes({ fields, attributes }: Columns, compared: ReadonlySet<number>): Attribute[] {
  const modelled = fields.filter(({ domain }) => domain);
  return attributes.map(({ fine: _, ...attribute }, at) => {
    const { domain } = modelled[at];
    const fine = compared.has(at) && domain!.kind === "grid" ? fineCodes(domain!) : undefined;
    return fine === undefined ? attribute : { ...attribute, fine };
  });
}
