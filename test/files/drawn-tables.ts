// Tables with random stored codes.
import fc from "fast-check";
import { type Codes, Table } from "../../src/core/table.js";
import { allocate, missingCode } from "../../src/domain/stored.js";
import { parseCsv } from "../../src/files/csv.js";
import type { Field, Schema } from "../../src/schema/schema.js";

const MOST_ROWS = 8;
/** A row of draws for each row of a table. */
export const draws = fc.array(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), { maxLength: MOST_ROWS });

/** A table of these stored codes, one draw per cell. */
export function tableOf(schema: Schema, drawn: readonly (readonly number[])[]): Table {
  const quoted = schema.fields.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  const { columns } = parseCsv(quoted.join(schema.dialect.delimiter), schema);
  const filled = columns.map(({ name, codec }, at) => {
    const field = schema.fields.find((candidate) => candidate.name === name)!;
    const draw = drawn.map((row) => row[at]);
    return { name, codec, codes: field.domain ? codesOf(field, draw) : Uint32Array.from(draw.keys()) };
  });
  return new Table(filled, drawn.length, schema.dialect.delimiter, undefined, schema.toJSON());
}

/** Codes of all kinds: the first and the last of them, missing, and any in between. */
function codesOf(field: Field, draw: readonly number[]): Codes {
  const { domain } = field;
  const values = domain!.kind === "grid" ? domain!.points : domain!.labels.length;
  const codes = allocate(field, draw.length);
  draw.forEach((number, row) => {
    const missing = number % 5 === 0 ? missingCode(field) : undefined;
    codes[row] = missing ?? [0, values - 1, number % values][number % 3];
  });
  return codes;
}
