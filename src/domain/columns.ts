import type { Attribute } from "./attribute.js";
import type { Field } from "./field.js";

/** The columns of a table: a part of its schema. */
export interface Columns {
  readonly fields: readonly Field[];
  /** The modelled fields as queries see them, in the schema's order. */
  readonly attributes: readonly Attribute[];
}
