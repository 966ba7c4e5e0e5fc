// The same job in every runtime: the coded Adult table from text to text, all pairs at ε = 1. The time is that from an
// external request to its answer, since some runtimes do not give their code a clock.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { BuildOptions } from "esbuild";
import { pythonEnvironment } from "../test/runtimes/python-environment.js";
import { startWorkerd } from "../test/runtimes/start-workerd.js";
import type { Report, Setting } from "./bench.js";
import { codedTable } from "./tables.js";

const RUNS = 5;
const SIZES: Readonly<Record<string, number | undefined>> = { "N'=2000": 2000, "N'=n": undefined };

/** A runtime that is ready to run the job. */
interface Host {
  /** Runs the job for this many rows, or for N̂ rows. */
  readonly run: (rows: number | undefined) => Promise<unknown>;
  readonly stop: () => unknown;
}

/** The inputs needed to start a runtime. */
interface Start {
  /** An empty folder. */
  readonly folder: string;
  /** The folder of the built package. */
  readonly dist: string;
  /** A module that exports `run(rows)`, to be bundled with an entry of the package as `standin`. */
  readonly job: string;
  /** The input of the job. */
  readonly schema: object;
  readonly csv: string;
}

/** Starts each runtime, or says why it cannot run. `most` is the longest time allowed, as a multiple of Node's. */
const RUNTIMES: Readonly<Record<string, { most?: number; start: (from: Start) => Promise<Host | string> }>> = {
  node: { start: node },
  chromium: { most: 1.5, start: chromium },
  workerd: { most: 1.5, start: workerd },
  python: { most: 1.3, start: python },
};

const require = createRequire(join(process.cwd(), "package.json"));

export default async function runtimes(report: Report, { data, cli }: Setting): Promise<void> {
  if (!data) return console.log("runtimes skipped: STANDIN_DATA names no folder of tables.");
  const folder = mkdtempSync(join(tmpdir(), "standin-runtimes-"));
  const hosts = new Map<string, Host>();
  try {
    const { json: schema, path: csv } = codedTable(join(data, "adult"), "adult_coded");
    const job = writeJob(folder, schema, csv);
    for (const [name, { start }] of Object.entries(RUNTIMES)) {
      mkdirSync(join(folder, name));
      const host = await start({ folder: join(folder, name), dist: dirname(cli), job, schema, csv });
      if (typeof host === "string") console.log(`runtimes skipped ${name}: ${host}.`);
      else hosts.set(name, host);
    }
    for (const [size, rows] of Object.entries(SIZES)) {
      const seconds = await fastest(hosts, rows);
      for (const [name, value] of seconds) {
        report({ metric: `${name} ${size}, s`, value });
        const { most } = RUNTIMES[name];
        if (most) report({ metric: `${name} / node, ${size}`, value: value / seconds.get("node")!, target: most });
      }
    }
  } finally {
    for (const { stop } of hosts.values()) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The shortest time of each runtime in seconds, after one run to warm up. Runtimes take turns, so that other load on
 * the machine affects all of them.
 */
async function fastest(hosts: ReadonlyMap<string, Host>, rows: number | undefined): Promise<Map<string, number>> {
  const least = new Map<string, number>();
  for (let turn = 0; turn <= RUNS; turn++)
    for (const [name, { run }] of hosts) {
      const start = performance.now();
      await run(rows);
      const seconds = (performance.now() - start) / 1000;
      if (turn) least.set(name, Math.min(seconds, least.get(name) ?? Number.POSITIVE_INFINITY));
    }
  return least;
}

/** Writes the job with its table included, since a page opened from disk cannot read files. */
function writeJob(folder: string, schema: object, csv: string): string {
  const path = join(folder, "job.mjs");
  writeFileSync(
    path,
    `import { parseCsv, parseSchema, plan, synthesize, toCsv } from "standin";
const csv = ${JSON.stringify(readFileSync(csv, "utf8"))};
export async function run(rows) {
  const schema = parseSchema(${JSON.stringify(schema)});
  const release = await synthesize(parseCsv(csv, schema), plan(schema, { epsilon: 1 }), { rows, seed: 1 });
  return toCsv(release.table).length;
}
`,
  );
  return path;
}

async function node({ folder, dist, job }: Start): Promise<Host> {
  const entry = "process.on('message', async ({ rows }) => process.send(await run(rows)));";
  const path = join(folder, "host.mjs");
  await bundled(job, join(dist, "node.js"), entry, { outfile: path, platform: "node" });
  const child = fork(path);
  return {
    run(rows) {
      const answer = once(child, "message");
      child.send({ rows });
      return answer;
    },
    stop: () => child.kill(),
  };
}

async function chromium({ folder, dist, job }: Start): Promise<Host | string> {
  const executablePath = process.env.STANDIN_CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return `there is no ${executablePath}; STANDIN_CHROMIUM can name another Chromium`;
  const script = join(folder, "host.js");
  await bundled(job, join(dist, "browser.js"), "globalThis.run = run;", { outfile: script, format: "iife" });
  const page = join(folder, "host.html");
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><script src="host.js"></script>`);
  const { chromium }: typeof import("playwright-core") = require("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--disable-gpu"] });
  const tab = await browser.newPage();
  await tab.goto(pathToFileURL(page).href);
  return {
    run: (rows) => tab.evaluate((asked) => (globalThis as unknown as { run: Host["run"] }).run(asked), rows),
    stop: () => browser.close(),
  };
}

async function workerd({ folder, dist, job }: Start): Promise<Host | string> {
  let executable: string;
  try {
    executable = require("workerd").default;
  } catch {
    return "workerd has no executable for this machine";
  }
  const entry =
    "export default { async fetch(request) { return Response.json(await run((await request.json()).rows)); } };";
  await bundled(job, join(dist, "edge.js"), entry, {
    outdir: folder,
    entryNames: "worker",
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
  });
  const { url, stop } = await startWorkerd(executable, folder);
  return {
    run: async (rows) => (await fetch(url, { method: "POST", body: JSON.stringify({ rows }) })).json(),
    stop,
  };
}

/** The same job in Python. Each line of input starts one run. */
const PYTHON = `
import json, sys, standin
schema_text, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    csv = file.read()
for line in sys.stdin:
    schema = standin.parse_schema(schema_text)
    table = standin.parse_csv(csv, schema)
    release = standin.synthesize(table, schema, epsilon=1, rows=json.loads(line).get("rows"), seed=1)
    print(len(release.table.to_csv()), flush=True)
`;

async function python({ folder, schema, csv }: Start): Promise<Host | string> {
  const environment = pythonEnvironment(folder);
  if (typeof environment === "string") return environment;
  const { python, env } = environment;
  const child = spawn(python, ["-c", PYTHON, JSON.stringify(schema), csv], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    run(rows) {
      child.stdin.write(`${JSON.stringify({ rows })}\n`);
      return lines.next();
    },
    stop: () => child.kill(),
  };
}

/** Bundles an entry's code, which may call `run`, with the job and an entry of the package. */
async function bundled(job: string, standin: string, code: string, options: BuildOptions): Promise<void> {
  const { build }: typeof import("esbuild") = require("esbuild");
  await build({
    stdin: { contents: `import { run } from ${JSON.stringify(job)};\n${code}`, resolveDir: dirname(job) },
    alias: { standin },
    bundle: true,
    format: "esm",
    logLevel: "warning",
    ...options,
  });
}
