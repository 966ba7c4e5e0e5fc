// Two threads compared with one, on two cores: reading a million rows of 20 columns from a file, counting all their
// pairs, and both. The same in a process that does it only once, where nothing has been compiled yet. Finally Adult,
// which is too small to benefit.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Report, Setting } from "./bench.js";
import { readerOf, withMillions } from "./millions.js";
import { peakOf } from "./peak.js";
import { codedTable } from "./tables.js";

/**
 * Each run is a pair: one thread, then two, directly one after the other, so that other load on the machine affects
 * both or neither.
 */
const RUNS = 15;
/** These runs are not counted, since code is still being compiled in the first ones. */
const WARM_UP = 3;
/** The most time that two threads may take for both parts together, as a fraction of one thread's time. */
const RATIO = 0.65;

/** Seconds of each part of a job. */
interface Times {
  readonly read: number;
  readonly counted: number;
}

/** The same job with one thread and with two. */
type Pair = readonly [one: Times, two: Times];

/** The times of this many runs, each with the given numbers of threads in turn. */
type TimesOf = (runs: number, threads: readonly number[]) => Times[][];

const PARTS = {
  read: ({ read }: Times) => read,
  counted: ({ counted }: Times) => counted,
  both: ({ read, counted }: Times) => read + counted,
};

export default async function threads(report: Report, { data, cli }: Setting): Promise<void> {
  if (!data) return console.log("threads skipped: STANDIN_DATA names no folder of tables.");
  await withMillions(data, async ({ name, path, schemaPath }) => {
    const timesOf = timesIn(cli, path, schemaPath);
    tell(report, name, warmPairs(timesOf), RATIO);
    const processes = Array.from({ length: RUNS }, (): Pair => [timesOf(1, [1])[0][0], timesOf(1, [2])[0][0]]);
    tell(report, `${name} a process`, processes);
    report({
      metric: `${name} read by two, peak MB`,
      value: await peakOf(readerOf(cli, path, schemaPath, 2)),
      target: 300,
    });
  });
  const { path, schema } = codedTable(join(data, "adult"), "adult_coded");
  const folder = mkdtempSync(join(tmpdir(), "standin-threads-"));
  try {
    const schemaPath = join(folder, "schema.json");
    writeFileSync(schemaPath, JSON.stringify(schema));
    tell(report, "adult", warmPairs(timesIn(cli, path, schemaPath)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function warmPairs(timesOf: TimesOf): Pair[] {
  return timesOf(WARM_UP + RUNS, [1, 2])
    .slice(WARM_UP)
    .map(([one, two]) => [one, two]);
}

function tell(report: Report, name: string, pairs: readonly Pair[], target?: number): void {
  for (const [part, of] of Object.entries(PARTS)) {
    report({ metric: `${name} ${part}, s`, value: median(pairs.map(([one]) => of(one))) });
    const ratio = {
      metric: `${name} ${part}, two threads / one`,
      value: median(pairs.map(([one, two]) => of(two) / of(one))),
    };
    report(part === "both" ? { ...ratio, target } : ratio);
  }
}

/** All pairs at once: with two stages, part of the time goes into the estimates between them, which is not counting. */
const PLAN = { epsilon: 1, workload: "2-way", stages: 1, allowUnreviewedSchema: true } as const;

/** Reads and counts in processes that do nothing else. */
function timesIn(cli: string, path: string, schemaPath: string): TimesOf {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const program = `import { readFileSync } from "node:fs";
    import { measure, parseSchema, plan, readCsv } from ${entry};
    const [path, schemaPath, runs, ...threads] = process.argv.slice(1);
    const schema = parseSchema(readFileSync(schemaPath, "utf8"));
    const planned = plan(schema, ${JSON.stringify(PLAN)});
    const timesOf = async (options) => {
      const start = performance.now();
      const table = await readCsv(path, schema, options);
      const between = performance.now();
      await measure(table, planned, { ...options, seed: 1 });
      return { read: (between - start) / 1000, counted: (performance.now() - between) / 1000 };
    };
    const times = [];
    for (let run = 0; run < Number(runs); run++) {
      times.push([]);
      for (const count of threads) times[run].push(await timesOf({ threads: Number(count) }));
    }
    console.log(JSON.stringify(times));`;
  return (runs, threads) => {
    const args = ["--input-type=module", "-e", program, path, schemaPath, ...[runs, ...threads].map(String)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Reading and counting failed:\n${stderr}`);
    return JSON.parse(stdout);
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
