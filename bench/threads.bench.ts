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

const RUNS = 8;
/** The most that two threads may take of one thread's time for both parts together. */
const RATIO = 0.65;
const THREADS = [1, 2];

/** The least seconds of each part of a job. */
interface Times {
  read: number;
  counted: number;
  both: number;
}

export default async function threads(report: Report, { data, cli }: Setting): Promise<void> {
  if (!data) return console.log("threads skipped: STANDIN_DATA names no folder of tables.");
  await withMillions(data, async ({ name, path, schema, schemaPath }) => {
    tell(report, name, await fastest(path, schema), RATIO);
    const [one, two] = inProcesses(cli, path, schemaPath);
    report({ metric: `${name} a process, both, s`, value: one });
    report({ metric: `${name} a process, two threads / one`, value: two / one });
    report({
      metric: `${name} read by two, peak MB`,
      value: await peakOf(readerOf(cli, path, schemaPath, 2)),
      target: 300,
    });
  });
  const { path, schema } = codedTable(join(data, "adult"), "adult_coded");
  tell(report, "adult", await fastest(path, schema));
}

function tell(report: Report, name: string, [one, two]: readonly Times[], target?: number): void {
  for (const part of ["read", "counted", "both"] as const) {
    report({ metric: `${name} ${part}, s`, value: one[part] });
    const ratio = { metric: `${name} ${part}, two threads / one`, value: two[part] / one[part] };
    report(part === "both" ? { ...ratio, target } : ratio);
  }
}

/** All pairs at once: with two stages, a part of the time goes into estimates between them, which is no counting. */
const PLAN = { epsilon: 1, workload: "2-way", stages: 1, allowUnreviewedSchema: true } as const;

/** For each number of threads, in turns, so that what else the machine does meets both. */
async function fastest(path: string, schema: Schema): Promise<Times[]> {
  const times = THREADS.map(() => ({ read: Infinity, counted: Infinity, both: Infinity }));
  for (let run = 0; run < RUNS; run++)
    for (const [at, least] of times.entries()) {
      const options = { threads: THREADS[at] };
      const start = performance.now();
      const table = await readCsv(path, schema, options);
      const between = performance.now();
      await measure(table, plan(schema, PLAN), { ...options, seed: 1, unsafeNoiseKey: noiseKey(1) });
      const end = performance.now();
      least.read = Math.min(least.read, (between - start) / 1000);
      least.counted = Math.min(least.counted, (end - between) / 1000);
      least.both = Math.min(least.both, (end - start) / 1000);
    }
  return times;
}

/** The same for a process that reads and counts once; its own start aside. */
function inProcesses(cli: string, path: string, schemaPath: string): number[] {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const program = (count: number) => `import { readFileSync } from "node:fs";
    import { measure, parseSchema, plan, readCsv } from ${entry};
    const schema = parseSchema(readFileSync(process.argv[2], "utf8"));
    const planned = plan(schema, ${JSON.stringify(PLAN)});
    const start = performance.now();
    await measure(await readCsv(process.argv[1], schema, { threads: ${count} }), planned, { threads: ${count}, seed: 1 });
    console.log((performance.now() - start) / 1000);`;
  const times = THREADS.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS; run++)
    for (const [at, count] of THREADS.entries()) {
      const args = ["--input-type=module", "-e", program(count), path, schemaPath];
      times[at] = Math.min(times[at], Number(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout));
    }
  return times;
}
