// The same jobs in every runtime, each as one process, page or worker that does one job after the other. The time is
// that from an external request to its answer, since some runtimes do not give their code a clock.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startProgram } from "../test/runtimes/programs.js";
import type { Report, Setting } from "./bench.js";
import { type Job, jobs } from "./runtimes/job.js";
import { chromium, type Host, node, type Start, workerd } from "./runtimes/scripts.js";

const RUNS = 5;

/** Each runtime, and the longest time allowed, as a multiple of Node's. */
const RUNTIMES: Readonly<Record<string, { start: (from: Start) => Promise<Host | string>; most?: number }>> = {
  node: { start: node },
  chromium: { start: chromium, most: 1.2 },
  workerd: { start: workerd, most: 1.2 },
  python: { start: program("python"), most: 1.3 },
  rust: { start: program("rust"), most: 1.3 },
  c: { start: program("c"), most: 1.3 },
  go: { start: program("go"), most: 2 },
  java: { start: program("java"), most: 4 },
};

export default async function runtimes(report: Report, { data, cli }: Setting): Promise<void> {
  if (!data) return console.log("runtimes skipped: STANDIN_DATA names no folder of tables.");
  const folder = mkdtempSync(join(tmpdir(), "standin-runtimes-"));
  const hosts = new Map<string, Host>();
  try {
    const all = jobs(data, folder);
    for (const [name, { start }] of Object.entries(RUNTIMES)) {
      mkdirSync(join(folder, name));
      const host = await start({ folder: join(folder, name), dist: dirname(cli), jobs: all });
      if (typeof host === "string") console.log(`runtimes skipped ${name}: ${host}.`);
      else hosts.set(name, host);
    }
    for (const job of all) {
      const seconds = await fastest(hosts, job);
      for (const [name, value] of seconds) {
        report({ metric: `${name} ${job.name}, s`, value });
        const { most } = RUNTIMES[name];
        if (most) report({ metric: `${name} / node, ${job.name}`, value: value / seconds.get("node")!, target: most });
      }
    }
  } finally {
    for (const { stop } of hosts.values()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the program of another language. */
function program(language: string) {
  return async ({ folder }: Start): Promise<Host | string> => {
    const started = startProgram(language, folder, true);
    if (typeof started === "string") return started;
    const out = join(folder, "out.csv");
    return {
      async run(job) {
        const answer = await started.run({ ...job, out });
        if (answer !== "done") throw new Error(`${language}, ${job.name}: ${answer}`);
      },
      stop: started.stop,
    };
  };
}

/**
 * The shortest time of each runtime in seconds, after one run to warm up. Runtimes take turns, so that other load on
 * the machine affects all of them.
 */
async function fastest(hosts: ReadonlyMap<string, Host>, job: Job): Promise<Map<string, number>> {
  const least = new Map<string, number>();
  for (let turn = 0; turn <= RUNS; turn++)
    for (const [name, { run }] of hosts) {
      const start = performance.now();
      await run(job);
      const seconds = (performance.now() - start) / 1000;
      if (turn) least.set(name, Math.min(seconds, least.get(name) ?? Number.POSITIVE_INFINITY));
    }
  return least;
}
