// Two threads against one, on two cores: reading a million rows of 20 columns from a file, counting all their pairs, and both; the same in a
// process of its own, where nothing is compiled yet; and Adult, which is too small to gain.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { measure, plan, readCsv, type Schema } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { readerOf, withMillions } from "./millions.js";
import { peakOf } from "./peak.js";
import { codedTable, noiseKey } from "./tables.js";

/** Each run is a pair, of one thread and of two, one right after the other: what else the machine does meets both, or neither. */
const RUNS = 15;
/** Not counted: in the first ones code is still being compiled. */
const WARM_UP = 3;
/** The most that two threads may take of one thread's time for both parts together. */
const RATIO = 0.65;

/** Seconds of each part of a job. */
interface Times {
  readonly read: number;
  readonly counted: number;
  readonly both: number;
}

/** The same job in one thread and in two. */
type Pair = readonly [one: Times, two: Times];

export default async function threads(report: Report, { data, cli }: Setting): Promise<void> {
  if (!data) return console.log("threads skipped: STANDIN_DATA names no folder of tables.");
  await withMillions(data, async ({ name, path, schema, schemaPath }) => {
    tell(report, name, await pairs(path, schema), RATIO);
    const processes = inProcesses(cli, path, schemaPath);
    report({ metric: `${name} a process, both, s`, value: median(processes.map(([one]) => one)) });
    report({ metric: `${name} a process, two threads / one`, value: median(processes.map(([one, two]) => two / one)) });
    report({
      metric: `${name} read by two, peak MB`,
      value: await peakOf(readerOf(cli, path, schemaPath, 2)),
      target: 300,
    });
  });
  const { path, schema } = codedTable(join(data, "adult"), "adult_coded");
  tell(report, "adult", await pairs(path, schema));
}

function tell(report: Report, name: string, measured: readonly Pair[], target?: number): void {
  for (const part of ["read", "counted", "both"] as const) {
    report({ metric: `${name} ${part}, s`, value: median(measured.map(([one]) => one[part])) });
    const value = median(measured.map(([one, two]) => two[part] / one[part]));
    const ratio = { metric: `${name} ${part}, two threads / one`, value };
    report(part === "both" ? { ...ratio, target } : ratio);
  }
}

/** All pairs at once: with two stages, a part of the time goes into estimates between them, which is no counting. */
const PLAN = { epsilon: 1, workload: "2-way", stages: 1, allowUnreviewedSchema: true } as const;

async function pairs(path: string, schema: Schema): Promise<Pair[]> {
  const measured: Pair[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run++)
    measured.push([await timesOf(path, schema, 1), await timesOf(path, schema, 2)]);
  return measured.slice(WARM_UP);
}

async function timesOf(path: string, schema: Schema, threads: number): Promise<Times> {
  const start = performance.now();
  const table = await readCsv(path, schema, { threads });
  const between = performance.now();
  await measure(table, plan(schema, PLAN), { threads, seed: 1, unsafeNoiseKey: noiseKey(1) });
  const end = performance.now();
  return { read: (between - start) / 1000, counted: (end - between) / 1000, both: (end - start) / 1000 };
}

/** Seconds of a process that reads and counts once, its own start aside, with one thread and with two. */
function inProcesses(cli: string, path: string, schemaPath: string): [one: number, two: number][] {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const program = (threads: number) => `import { readFileSync } from "node:fs";
    import { measure, parseSchema, plan, readCsv } from ${entry};
    const schema = parseSchema(readFileSync(process.argv[2], "utf8"));
    const planned = plan(schema, ${JSON.stringify(PLAN)});
    const start = performance.now();
    await measure(await readCsv(process.argv[1], schema, { threads: ${threads} }), planned, { threads: ${threads}, seed: 1 });
    console.log((performance.now() - start) / 1000);`;
  const seconds = (threads: number) => {
    const args = ["--input-type=module", "-e", program(threads), path, schemaPath];
    return Number(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
  };
  return Array.from({ length: RUNS }, () => [seconds(1), seconds(2)]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
