import { codecOf } from "../../src/schema/decode.js";
import { cellReader } from "../../src/schema/encode.js";
import { parseSchema } from "../../src/schema/schema.js";

/** A schema of one modelled field, with functions from its cells to codes and from codes to texts. */
export function one(field: object, more: object = {}) {
  const schema = parseSchema({ fields: [{ name: "x", ...field }], ...more });
  const reader = cellReader(schema.fields[0], schema);
  const codec = codecOf(schema.fields[0], schema);
  return { schema, reader, codec, through: (text: string) => codec.text(reader.encode(text)) };
}

/** The grid of a schema's first field. */
export function gridOf(source: unknown) {
  const { domain } = parseSchema(source).fields[0];
  if (domain?.kind !== "grid") throw new Error("not a grid");
  return domain;
}
