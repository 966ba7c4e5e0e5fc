import { Instance } from "../../src/engine/instance.js";
import { TableReader } from "../../src/files/table-reader.js";
import { codecOf } from "../../src/schema/decode.js";
import { cellRule } from "../../src/schema/encode.js";
import { parseSchema } from "../../src/schema/schema.js";
import "../engine.js";

/** A schema of one modelled field, with functions from its cells to codes and from codes to texts. */
export function one(field: object, more: object = {}) {
  const schema = parseSchema({ fields: [{ name: "x", ...field }], ...more });
  const rule = cellRule(schema.fields[0], schema);
  const reader = new TableReader(new Instance(), ",", [rule]);
  const encode = (text: string): number => {
    reader.restart();
    reader.push(new TextEncoder().encode(`"${text.replaceAll('"', '""')}"\n`));
    return reader.stored(0).codes[0];
  };
  const codec = codecOf(schema.fields[0], schema);
  return { schema, reader: { encode }, codec, through: (text: string) => codec.text(encode(text)) };
}

/** The grid of a schema's first field. */
export function gridOf(source: unknown) {
  const { domain } = parseSchema(source).fields[0];
  if (domain?.kind !== "grid") throw new Error("not a grid");
  return domain;
}
