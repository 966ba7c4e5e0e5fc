// Tables of many columns, made from a real one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseCsv, parseSchema, type Schema, type Table } from "../src/node.js";

/**
 * The first `columns` columns of the stroke trial's table (110 columns of 2 to 516 codes, 19,435 rows). Beyond 110, its
 * columns are repeated, each time shifted by a third of the rows, so that they are similar but not copies.
 */
export function wideTable(data: string, columns: number): { schema: Schema; table: Table } {
  const folder = join(data, "dpbench");
  const domain: Record<string, number> = JSON.parse(readFileSync(join(folder, "stroke-domain.json"), "utf8"));
  const [names, ...rows] = gunzipSync(readFileSync(join(folder, "stroke.csv.gz")))
    .toString()
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const places = Array.from({ length: columns }, (_, place) => {
    const at = place % names.length;
    return { at, time: Math.floor(place / names.length), size: domain[names[at]] };
  });
  const fields = places.map(({ at, time, size }) => ({
    name: time ? `${names[at]}_${time + 1}` : names[at],
    type: "integer",
    constraints: { minimum: 0, maximum: size - 1, required: true },
  }));
  const third = Math.floor(rows.length / 3);
  const lines = rows.map((_, row) => places.map(({ at, time }) => rows[(row + time * third) % rows.length][at]).join());
  const schema = parseSchema({ fields });
  return { schema, table: parseCsv([fields.map(({ name }) => name).join(), ...lines, ""].join("\n"), schema) };
}
