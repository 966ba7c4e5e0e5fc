// The runtimes of JavaScript. Pages and edge runtimes read no files: there the job's texts lie in its script.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions } from "esbuild";
import { startWorkerd } from "../../test/runtimes/start-workerd.js";
import type { Job } from "./job.js";

/** A runtime that is ready to do jobs. */
export interface Host {
  /** Does a job, from files to a file where the runtime has files. */
  readonly run: (job: Job) => Promise<unknown>;
  readonly stop: () => unknown;
}

/** What a runtime is started from. */
export interface Start {
  /** An empty folder. */
  readonly folder: string;
  /** The folder of the built package. */
  readonly dist: string;
  readonly jobs: readonly Job[];
}

const require = createRequire(join(process.cwd(), "package.json"));

/** Does a job from files to a file. */
const FROM_FILES = `
import { readFileSync, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { csvStream, parseSchema, plan, readCsv, synthesize } from "standin";
export async function run({ schema: path, csv, options, rows }, out) {
  const schema = parseSchema(readFileSync(path, "utf8"));
  const release = await synthesize(await readCsv(csv, schema), plan(schema, options), { rows, seed: 1 });
  await pipeline(csvStream(release.table), createWriteStream(out));
}
`;

/** Does one of the jobs that come with it, by name. */
const FROM_TEXTS = `
import { parseCsv, parseSchema, plan, synthesize, toCsv } from "standin";
export async function run(name) {
  const { schema: descriptor, csv, options, rows } = JOBS[name];
  const schema = parseSchema(descriptor);
  const release = await synthesize(parseCsv(TEXTS[csv], schema), plan(schema, options), { rows, seed: 1 });
  return toCsv(release.table).length;
}
`;

export async function node({ folder, dist }: Start): Promise<Host> {
  const job = join(folder, "job.mjs");
  writeFileSync(job, FROM_FILES);
  const out = JSON.stringify(join(folder, "out.csv"));
  const path = join(folder, "host.mjs");
  const entry = `process.on("message", async (job) => process.send((await run(job, ${out})) ?? null));`;
  await bundled(job, join(dist, "node.js"), entry, { outfile: path, platform: "node" });
  const child = fork(path);
  return {
    run(job) {
      const answer = once(child, "message");
      child.send(job);
      return answer;
    },
    stop: () => child.kill(),
  };
}

export async function chromium({ folder, dist, jobs }: Start): Promise<Host | string> {
  const executablePath = process.env.STANDIN_CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) return `there is no ${executablePath}; STANDIN_CHROMIUM can name another Chromium`;
  const script = join(folder, "host.js");
  const job = withTexts(folder, jobs);
  await bundled(job, join(dist, "browser.js"), "globalThis.run = run;", { outfile: script, format: "iife" });
  const page = join(folder, "host.html");
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><script src="host.js"></script>`);
  const { chromium }: typeof import("playwright-core") = require("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--disable-gpu"] });
  const tab = await browser.newPage();
  await tab.goto(pathToFileURL(page).href);
  return {
    run: ({ name }) => tab.evaluate((asked) => (globalThis as unknown as Page).run(asked), name),
    stop: () => browser.close(),
  };
}

interface Page {
  run(name: string): Promise<number>;
}

export async function workerd({ folder, dist, jobs }: Start): Promise<Host | string> {
  let executable: string;
  try {
    executable = require("workerd").default;
  } catch {
    return "workerd has no executable for this machine";
  }
  const entry = "export default { async fetch(request) { return Response.json(await run(await request.json())); } };";
  await bundled(withTexts(folder, jobs), join(dist, "edge.js"), entry, {
    outdir: folder,
    entryNames: "worker",
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
  });
  const { url, stop } = await startWorkerd(executable, folder);
  return {
    run: async ({ name }) => (await fetch(url, { method: "POST", body: JSON.stringify(name) })).json(),
    stop,
  };
}

/** Writes a module that has all jobs' texts. */
function withTexts(folder: string, jobs: readonly Job[]): string {
  const texts = Object.fromEntries(jobs.map(({ csv }) => [csv, readFileSync(csv, "utf8")]));
  const known = jobs.map(({ name, schema, csv, options, rows }) => {
    const descriptor = JSON.parse(readFileSync(schema, "utf8"));
    return [name, { schema: descriptor, csv, options, rows }] as const;
  });
  const path = join(folder, "job.mjs");
  const constants = `const TEXTS = ${JSON.stringify(texts)};\nconst JOBS = ${JSON.stringify(Object.fromEntries(known))};`;
  writeFileSync(path, `${constants}\n${FROM_TEXTS}`);
  return path;
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
