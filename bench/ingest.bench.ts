// Reading a million rows of 20 columns from a file into codes, beside papaparse reading the same file into strings.
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import Papa from "papaparse";
import { parseSchema, readCsv } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { peakOf } from "./peak.js";
import { excerpt } from "./tables.js";

const ROWS = 1_000_000;
const COLUMNS = 20;
const RUNS = 3;

export default async function ingest(report: Report, { data, cli }: Setting) {
  if (!data) return console.log("ingest skipped: STANDIN_DATA names no folder of tables.");
  const folder = mkdtempSync(join(tmpdir(), "standin-ingest-"));
  try {
    const { path: real, json } = excerpt(join(data, "acs"), "sdnist_national2019");
    const schemaJson = JSON.stringify({ ...json, fields: json.fields.slice(0, COLUMNS) });
    const path = join(folder, "million.csv");
    writeMillion(path, real);
    const schema = parseSchema(schemaJson);
    const [ours, papaparse] = await fastest(
      async () => (await readCsv(path, schema)).length,
      () => papaparseRows(path),
    );
    const megabytes = statSync(path).size / 1e6;
    report({ metric: "read_mb_per_s", value: megabytes / ours, target: 20, better: "higher" });
    report({ metric: "papaparse_mb_per_s", value: megabytes / papaparse, better: "higher" });
    report({ metric: "read / papaparse", value: papaparse / ours, target: 1.2, better: "higher" });

    const schemaPath = join(folder, "schema.json");
    writeFileSync(schemaPath, schemaJson);
    report({ metric: "read, peak MB", value: await peakOf(reader(cli, path, schemaPath)), target: 300 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the first columns of a table, its rows again and again. */
function writeMillion(path: string, real: string): void {
  const [header, ...rows] = readFileSync(real, "utf8")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(",").slice(0, COLUMNS).join(","));
  const file = openSync(path, "w");
  writeSync(file, `${header}\n`);
  for (let left = ROWS; left > 0; left -= rows.length) writeSync(file, `${rows.slice(0, left).join("\n")}\n`);
  closeSync(file);
}

/** The least time of each job in seconds, in turns, so that what else the machine does meets both. Each has to find all rows. */
async function fastest(...jobs: (() => Promise<number>)[]): Promise<number[]> {
  const least = jobs.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS; run++)
    for (const [at, job] of jobs.entries()) {
      const start = performance.now();
      const rows = await job();
      least[at] = Math.min(least[at], (performance.now() - start) / 1000);
      if (rows !== ROWS) throw new Error(`${rows} rows were read, not ${ROWS}.`);
    }
  return least;
}

function papaparseRows(path: string): Promise<number> {
  let rows = -1; // the header
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(createReadStream(path), {
      delimiter: ",",
      skipEmptyLines: true,
      chunk: ({ data }) => {
        rows += data.length;
      },
      complete: () => resolve(rows),
      error: reject,
    });
  });
}

/** The arguments of a Node that reads the table and does nothing else. */
function reader(cli: string, path: string, schemaPath: string): string[] {
  const entry = pathToFileURL(join(dirname(cli), "node.js")).href;
  const program = `import { readFileSync } from "node:fs"; import { parseSchema, readCsv } from ${JSON.stringify(entry)};
    await readCsv(process.argv[1], parseSchema(readFileSync(process.argv[2], "utf8")));`;
  return ["--input-type=module", "-e", program, path, schemaPath];
}
