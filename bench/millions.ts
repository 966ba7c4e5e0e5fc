// Files of a million rows and 20 columns, made from real tables: one with quotes and one without.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseSchema, type Schema } from "../src/node.js";
import { nonPrivateProposal } from "../src/owner.js";

export const MILLION = 1_000_000;
const COLUMNS = 20;

const SOURCES = [
  { name: "quoted", file: "uci/bank_additional_full_semicolon.csv.gz", delimiter: ";" },
  { name: "unquoted", file: "acs/sdnist_national2019.csv", delimiter: "," },
];

/** A table in a file, and its schema, also in a file. */
export interface Million {
  readonly name: string;
  readonly path: string;
  readonly schemaPath: string;
  readonly schema: Schema;
  readonly delimiter: string;
}

/** Passes each of the tables to `use`, and deletes it afterwards. */
export async function withMillions(data: string, use: (table: Million) => Promise<void>): Promise<void> {
  for (const { name, file, delimiter } of SOURCES) {
    const folder = mkdtempSync(join(tmpdir(), "standin-millions-"));
    try {
      const [path, schemaPath] = [join(folder, "million.csv"), join(folder, "schema.json")];
      const lines = firstColumns(join(data, file), delimiter);
      writeMillion(path, lines);
      const { descriptor } = await nonPrivateProposal(new Blob([lines.join("\n")]));
      writeFileSync(schemaPath, JSON.stringify(descriptor));
      await use({ name, path, schemaPath, schema: parseSchema(descriptor), delimiter });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Columns whose texts are all different, and a row's text in each. */
const DISTINCT = {
  floats: {
    field: { type: "number", constraints: { minimum: 0, maximum: 1000 }, standin: { granularity: 0.000001 } },
    text: (row: number, column: number) => ((scattered(row * COLUMNS + column) / 2 ** 32) * 1000).toFixed(6),
  },
  dates: {
    field: { type: "datetime", constraints: { minimum: "1990-01-01T00:00:00", maximum: "2029-12-31T23:59:59" } },
    text: (row: number, column: number) =>
      new Date(1000 * (631_152_000 + (scattered(row * COLUMNS + column) % 1_200_000_000))).toISOString().slice(0, 19),
  },
};

/** A number of 32 bits that looks drawn. */
const scattered = (number: number): number => Math.imul(number ^ (number >>> 15), 0x9e3779b1) >>> 0;

/** The same for made tables of distinct texts. */
export async function withDistinct(use: (table: Million) => Promise<void>): Promise<void> {
  for (const [name, { field, text }] of Object.entries(DISTINCT)) {
    const folder = mkdtempSync(join(tmpdir(), "standin-millions-"));
    try {
      const [path, schemaPath] = [join(folder, "million.csv"), join(folder, "schema.json")];
      const columns = Array.from({ length: COLUMNS }, (_, column) => column);
      const file = openSync(path, "w");
      writeSync(file, `${columns.map((column) => `column_${column}`).join(",")}\n`);
      for (let row = 0; row < MILLION; row += 10_000) {
        const lines = Array.from({ length: 10_000 }, (_, at) =>
          columns.map((column) => text(row + at, column)).join(","),
        );
        writeSync(file, `${lines.join("\n")}\n`);
      }
      closeSync(file);
      const descriptor = { fields: columns.map((column) => ({ name: `column_${column}`, ...field })) };
      writeFileSync(schemaPath, JSON.stringify(descriptor));
      await use({ name, path, schemaPath, schema: parseSchema(descriptor), delimiter: "," });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The arguments with which Node reads a table in this many threads and does nothing else. */
export function readerOf(cli: string, path: string, schemaPath: string, threads: number): string[] {
  const entry = pathToFileURL(join(dirname(cli), "node.js")).href;
  const program = `import { readFileSync } from "node:fs"; import { parseSchema, readCsv } from ${JSON.stringify(entry)};
    await readCsv(process.argv[1], parseSchema(readFileSync(process.argv[2], "utf8")), { threads: ${threads} });`;
  return ["--input-type=module", "-e", program, path, schemaPath];
}

/** The lines of a table, header first, cut to their first columns. No cell of these tables contains a delimiter. */
function firstColumns(path: string, delimiter: string): string[] {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes)
    .toString()
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(delimiter).slice(0, COLUMNS).join(delimiter));
}

/** Writes a table's rows repeatedly, up to a million rows. */
function writeMillion(path: string, [header, ...rows]: readonly string[]): void {
  const file = openSync(path, "w");
  writeSync(file, `${header}\n`);
  for (let left = MILLION; left > 0; left -= rows.length) writeSync(file, `${rows.slice(0, left).join("\n")}\n`);
  closeSync(file);
}
