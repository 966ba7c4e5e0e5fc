// Reads a million rows of 20 columns from a file into codes, compared with papaparse reading the same file into
// strings: real tables with and without quotes, and made ones where no text comes twice. The package for Python reads
// them too.
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { readCsv } from "../src/node.js";
import { type Program, startProgram } from "../test/runtimes/programs.js";
import type { Report, Setting } from "./bench.js";
import { MILLION, type Million, readerOf, withDistinct, withMillions } from "./millions.js";
import { peakOf } from "./peak.js";

const RUNS = 5;
/** The rate to reach, as a multiple of papaparse's and in MB/s, and the memory to keep to. */
const RATIO = 3;
const RATE = 150;
const MEGABYTES = 200;
/** The longest time that Python may take, as a multiple of Node's. */
const PYTHON_RATIO = 1.3;

export default async function ingest(report: Report, setting: Setting) {
  const folder = mkdtempSync(join(tmpdir(), "standin-ingest-"));
  const python = startProgram("python", folder);
  if (typeof python === "string") console.log(`ingest skipped Python: ${python}.`);
  try {
    await all(report, setting, typeof python === "string" ? undefined : python);
  } finally {
    if (typeof python !== "string") python.stop();
    rmSync(folder, { recursive: true });
  }
}

async function all(report: Report, { data, cli }: Setting, python: Program | undefined): Promise<void> {
  const timed = async ({ name, path, schemaPath, schema, delimiter }: Million): Promise<void> => {
    const read = async () => {
      const answer = await python!.read({ schema: schemaPath, csv: path });
      if (answer !== "done") throw new Error(answer);
      return MILLION;
    };
    const [ours, papaparse, inPython] = await fastest(
      async () => (await readCsv(path, schema)).length,
      () => papaparseRows(path, delimiter),
      ...(python ? [read] : []),
    );
    if (python) report({ metric: `${name} read, python / node`, value: inPython / ours, target: PYTHON_RATIO });
    const megabytes = statSync(path).size / 1e6;
    report({ metric: `${name} read_mb_per_s`, value: megabytes / ours, target: RATE, better: "higher" });
    report({ metric: `${name} papaparse_mb_per_s`, value: megabytes / papaparse, better: "higher" });
    report({ metric: `${name} read / papaparse`, value: papaparse / ours, target: RATIO, better: "higher" });
    report({
      metric: `${name} read, peak MB`,
      value: await peakOf(readerOf(cli, path, schemaPath, 1)),
      target: MEGABYTES,
    });
  };
  await withDistinct(timed);
  // Where no cell is quoted, papaparse does not look for quotes but splits the text at delimiters, which is much
  // faster.
  if (data) await withMillions(data, timed);
  else console.log("No real tables: STANDIN_DATA names no folder of them.");
}

/**
 * The shortest time of each job in seconds. Jobs take turns, so that other load on the machine affects all of them.
 * Each has to find all rows.
 */
async function fastest(...jobs: (() => Promise<number>)[]): Promise<number[]> {
  const least = jobs.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS; run++)
    for (const [at, job] of jobs.entries()) {
      const start = performance.now();
      const rows = await job();
      least[at] = Math.min(least[at], (performance.now() - start) / 1000);
      if (rows !== MILLION) throw new Error(`${rows} rows were read, not ${MILLION}.`);
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
