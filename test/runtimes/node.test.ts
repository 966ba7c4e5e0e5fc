// The installed package in Node: imported, required, bundled, and as a command.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, inject, it } from "vitest";
import * as standin from "../../src/node.js";
import { expected, measuredBy, sha256 } from "../vectors/job.mjs";
import { VECTORS } from "../vectors/vectors.js";
import { BUNDLERS, sources } from "./bundlers.js";

const installed = inject("installed");
const job = JSON.stringify(pathToFileURL(resolve("test/vectors/job.mjs")).href);

/**
 * Runs a script in the folder of the installed package. It finds the vectors on its standard input, prints JSON, and
 * must not print warnings.
 */
function node(type: "module" | "commonjs", script: string): unknown {
  const args = [`--input-type=${type}`, "--eval", script];
  const input = JSON.stringify(VECTORS);
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: installed, input, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it("imported", async () => {
  const made = node(
    "module",
    `import { readFileSync } from "node:fs";
    import * as standin from "standin";
    import { job } from ${job};
    console.log(JSON.stringify(await job(standin, JSON.parse(readFileSync(0, "utf8")))));`,
  );
  expect(made).toEqual(await expected(VECTORS));
});

it("required", async () => {
  const made = node(
    "commonjs",
    `const { readFileSync } = require("node:fs");
    const standin = require("standin");
    const vectors = JSON.parse(readFileSync(0, "utf8"));
    import(${job}).then(async ({ job }) => console.log(JSON.stringify(await job(standin, vectors))));`,
  );
  expect(made).toEqual(await expected(VECTORS));
});

it.each(Object.keys(BUNDLERS))("bundled for Node by %s", async (name) => {
  const folder = sources(installed);
  const bundle = JSON.stringify(pathToFileURL(join(folder, await BUNDLERS[name](folder, "node"))).href);
  const made = node(
    "module",
    `import { readFileSync } from "node:fs";
    await import(${bundle});
    const vectors = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify({ made: await run(vectors), shared: await runInThreads(2) }));`,
  );
  expect(made).toEqual({ made: await expected(VECTORS), shared: await measuredBy(1, standin) });
});

it("bundled for Node with the names of functions kept: threads start", async () => {
  const folder = sources(installed);
  const outfile = join(folder, "out/named.mjs");
  const entryPoints = [join(folder, "page.mjs")];
  await build({ entryPoints, outfile, bundle: true, keepNames: true, format: "esm", platform: "node" });
  const made = node(
    "module",
    `await import(${JSON.stringify(pathToFileURL(outfile).href)});
    console.log(JSON.stringify(await runInThreads(2)));`,
  );
  expect(made).toEqual(await measuredBy(1, standin));
});

it("npx standin, from the tarball in an empty folder", async () => {
  const folder = mkdtempSync(join(installed, "empty-"));
  const cache = join(folder, ".npm");
  mkdirSync(cache);
  const npx = (...args: string[]) =>
    execFileSync("npx", ["--yes", "--offline", "--package", inject("tarball"), "standin", ...args], {
      cwd: folder,
      env: { ...process.env, npm_config_cache: cache, npm_config_loglevel: "error" },
      stdio: "pipe",
      encoding: "utf8",
    });
  const [{ schema, csv, release, output }] = VECTORS;
  writeFileSync(join(folder, "people.csv"), csv);
  writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
  writeFileSync(join(folder, "release.json"), JSON.stringify(release));
  expect(npx("--version")).toBe(`${JSON.parse(readFileSync("package.json", "utf8")).version}\n`);
  expect(npx("plan", "--schema", "schema.json", "--epsilon", "1")).toContain("sigma");
  npx("synth", "people.csv", "--schema", "schema.json", "--epsilon", "1", "--rows", "20", "-o", "rows.csv", "--quiet");
  expect(readFileSync(join(folder, "rows.csv"), "utf8").split("\n")).toHaveLength(22);
  npx("synth", "--from", "release.json", "-o", "again.csv", "--quiet");
  expect(await sha256(readFileSync(join(folder, "again.csv"), "utf8"))).toBe(output.sha256);
});
