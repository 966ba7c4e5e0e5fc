// The size of census tables that mbi was timed on (bench/accuracy.md): a million rows of 81 columns, random here, whose
// 3,240 pairs have 2.46 million cells. They are counted by one thread and by two; then a million rows are drawn from a
// graphical model, that of a tree of 80 pairs.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Report, Setting } from "./bench.js";

const ROWS = 1_000_000;
const SIZES = Array.from({ length: 81 }, (_, column) => [2, 3, 5, 8, 12, 20, 40, 60, 100][column % 9]);
/** The most seconds: about a ninth and a fifth of what mbi takes for counting and for rows. */
const TARGETS = { counted: 6, rows: 20 };
const FILE_ROWS = 10_000;

interface Times {
  readonly threads: number;
  readonly read: number;
  readonly counted: number;
  /** The same in seconds of all processors together: another load on the machine adds little to these. */
  readonly worked: number;
  /** Fitted, drawn and decoded. */
  readonly rows?: number;
}

export default async function mbiCensus(report: Report, { cli }: Setting): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "standin-census-"));
  try {
    const [path, schemaPath] = [join(folder, "census.csv"), join(folder, "schema.json")];
    writeTable(path);
    writeFileSync(schemaPath, JSON.stringify({ fields: SIZES.map(fieldOf) }));
    for (const { threads, read, counted, worked, rows } of timesIn(cli, path, schemaPath)) {
      const by = threads === 1 ? "one thread" : `${threads} threads`;
      report({ metric: `read by ${by}, s`, value: read });
      report({ metric: `counted by ${by}, s`, value: counted, target: TARGETS.counted });
      report({ metric: `counted by ${by}, s of processors`, value: worked });
      if (rows) report({ metric: "rows of a graphical model, s", value: rows, target: TARGETS.rows });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fieldOf = (size: number, column: number) => ({
  name: `column_${column}`,
  type: "integer",
  constraints: { minimum: 0, maximum: size - 1, required: true },
  standin: { bins: size },
});

/** A file of uniform codes. */
function writeTable(path: string): void {
  let state = 1;
  const drawn = (size: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * size);
  };
  const file = openSync(path, "w");
  writeSync(file, `${SIZES.map((size, column) => fieldOf(size, column).name).join()}\n`);
  for (let row = 0; row < ROWS; row += FILE_ROWS)
    writeSync(file, Array.from({ length: FILE_ROWS }, () => `${SIZES.map(drawn).join()}\n`).join(""));
  closeSync(file);
}

/** Reads and counts with the built package, in a process that does nothing else. */
function timesIn(cli: string, path: string, schemaPath: string): Times[] {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const program = `import { readFileSync } from "node:fs";
    import { measure, parseSchema, plan, readCsv, resample } from ${entry};
    const [path, schemaPath] = process.argv.slice(1);
    const schema = parseSchema(readFileSync(schemaPath, "utf8"));
    const seconds = async (job) => {
      const start = performance.now();
      const value = await job();
      return [value, (performance.now() - start) / 1000];
    };
    const pairs = plan(schema, { epsilon: 1, workload: "2-way", stages: 1 });
    const times = [];
    for (const threads of [1, 2]) {
      const [table, read] = await seconds(() => readCsv(path, schema, { threads }));
      const before = process.cpuUsage();
      const [, counted] = await seconds(() => measure(table, pairs, { threads, seed: 1 }));
      const { user, system } = process.cpuUsage(before);
      times.push({ threads, read, counted, worked: (user + system) / 1e6 });
      if (threads > 1) continue;
      const release = await measure(table, plan(schema, { epsilon: 1, mechanism: "mst" }), { seed: 1 });
      times[0].rows = (await seconds(() => resample(release, { rows: ${ROWS} })))[1];
    }
    console.log(JSON.stringify(times));`;
  const args = ["--input-type=module", "-e", program, path, schemaPath];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The census could not be counted:\n${stderr}`);
  return JSON.parse(stdout);
}
