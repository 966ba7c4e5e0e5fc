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
import { gunzipSync } from "node:zlib";
import Papa from "papaparse";
import { parseSchema, readCsv } from "../src/node.js";
import { nonPrivateProposal } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { peakOf } from "./peak.js";

const ROWS = 1_000_000;
const COLUMNS = 20;
const RUNS = 5;

interface Source {
  readonly file: string;
  readonly delimiter: string;
}

/** How many times papaparse's rate is asked for. */
const RATIO = 1.2;

/** Real tables. Where no cell has quotes, papaparse does not look for them but splits a text at its marks, which is much faster. */
const SOURCES: Readonly<Record<string, Source>> = {
  quoted: { file: "uci/bank_additional_full_semicolon.csv.gz", delimiter: ";" },
  unquoted: { file: "acs/sdnist_national2019.csv", delimiter: "," },
};

export default async function ingest(report: Report, { data, cli }: Setting) {
  if (!data) return console.log("ingest skipped: STANDIN_DATA names no folder of tables.");
  for (const [name, { file, delimiter }] of Object.entries(SOURCES)) {
    const folder = mkdtempSync(join(tmpdir(), "standin-ingest-"));
    try {
      const path = join(folder, "million.csv");
      const lines = firstColumns(join(data, file), delimiter);
      writeMillion(path, lines);
      const { descriptor } = await nonPrivateProposal(new Blob([lines.join("\n")]));
      const schema = parseSchema(descriptor);
      const [ours, papaparse] = await fastest(
        async () => (await readCsv(path, schema)).length,
        () => papaparseRows(path, delimiter),
      );
      const megabytes = statSync(path).size / 1e6;
      report({ metric: `${name} read_mb_per_s`, value: megabytes / ours, target: 20, better: "higher" });
      report({ metric: `${name} papaparse_mb_per_s`, value: megabytes / papaparse, better: "higher" });
      report({ metric: `${name} read / papaparse`, value: papaparse / ours, target: RATIO, better: "higher" });

      const schemaPath = join(folder, "schema.json");
      writeFileSync(schemaPath, JSON.stringify(descriptor));
      report({ metric: `${name} read, peak MB`, value: await peakOf(reader(cli, path, schemaPath)), target: 300 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The lines of a table, the header first, with their first columns only; no cell of these tables holds a delimiter. */
function firstColumns(path: string, delimiter: string): string[] {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes)
    .toString()
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(delimiter).slice(0, COLUMNS).join(delimiter));
}

/** Writes a table's rows again and again. */
function writeMillion(path: string, [header, ...rows]: readonly string[]): void {
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

function papaparseRows(path: string, delimiter: string): Promise<number> {
  let rows = -1; // the header
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(createReadStream(path), {
      delimiter,
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
