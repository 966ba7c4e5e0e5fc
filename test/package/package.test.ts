// The published package: its manifest, its files, and what they never do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, inject, it, onTestFinished } from "vitest";
import { VERSION } from "../../src/core/version.js";

const json = JSON.parse(readFileSync("package.json", "utf8"));
const published = join(inject("installed"), "node_modules/standin");
const files = readdirSync(published, { recursive: true, encoding: "utf8" }).filter((name) =>
  statSync(join(published, name)).isFile(),
);
const scripts = files
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, text: readFileSync(join(published, name), "utf8") }));
/** What scripts carry compressed, but for the engine. */
const unpacked = scripts.flatMap(({ name, text }) =>
  [...text.matchAll(/Buffer\.from\("([\w+/=]{100,})","base64"\)/g)].flatMap(([, base64]) => {
    const bytes = brotliDecompressSync(Buffer.from(base64, "base64"));
    return bytes[0] === 0 ? [] : [{ name: `a text in ${name}`, text: bytes.toString() }];
  }),
);

it("records the package's own version", () => {
  expect(VERSION).toBe(json.version);
});

it("has exact versions, no runtime dependency and a lock file without download addresses", () => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"])
    expect(json[kind], kind).toBeUndefined();
  for (const version of Object.values(json.devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+(\.\d+)?$/);
  expect(readFileSync("package-lock.json", "utf8")).not.toMatch(/"resolved"/);
});

it("runs nothing when it is installed", () => {
  expect(Object.keys(json.scripts).filter((name) => /install|prepare|prepublish$/.test(name))).toEqual([]);
});

it("passes publint", async () => {
  const { messages, pkg } = await publint({ pkgDir: published, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it("has types that resolve wherever its code does", () => {
  // ESM only. Node also gives it to `require` from the oldest version that package.json allows, which the profile does
  // not consider.
  const flags = ["--profile", "esm-only", "--exclude-entrypoints", "./engine.wasm"];
  execFileSync("node_modules/.bin/attw", [inject("tarball"), ...flags], { stdio: "pipe" });
});

it("is small: 1 MB unpacked", () => {
  const unpacked = files.reduce((sum, name) => sum + statSync(join(published, name)).size, 0);
  expect(unpacked).toBeLessThanOrEqual(1_000_000);
});

it("adds to a page what the pages say, to within 2 KB", () => {
  const added = ["dist/browser.js", "dist/web.js"].map((name) => gzipSync(readFileSync(join(published, name))).length);
  for (const page of ["README.md", "docs/api.md"]) {
    const [, said] = /adds\s+(\d+) KB \(gzip\)/.exec(readFileSync(page, "utf8"))!;
    expect(Math.abs(Number(said) - (added[0] + added[1]) / 1000), page).toBeLessThan(2);
  }
});

/** Names through which code reaches a network, or runs code that is not in the package. */
const REACHES_OUT = [
  /\b(fetch|importScripts|eval(?!:!0)|sendBeacon|createConnection)\b/,
  /\b(XMLHttpRequest|WebSocket|WebTransport|EventSource|RTCPeerConnection|Function)\s*\(/,
  /\.connect\s*\(/,
  /\bimport\s*\((?!"(\.\/|webgpu"))/,
];
/**
 * How threads are started: in Node with a text that the package carries, in browsers with the text of functions that
 * are already loaded.
 */
const THREADS = [
  /new [\w$]+\([\w$]+\(Buffer\.from\("[\w+/=]+",\s*"base64"\)\)\.toString\(\),\s*\{\s*eval:!0,/,
  /new Blob\(\[`"use strict";const [^`]+\.serve\(self\)`\]\)\),[\w$]+=new Worker\([\w$]+\)/,
];

/** The Node modules that the package uses. Of `net` it uses only the sockets that wrap pipes which are already open. */
const MODULES = [
  "crypto",
  "fs",
  "net",
  "os",
  "path",
  "stream",
  "timers/promises",
  "url",
  "util",
  "worker_threads",
  "zlib",
];

it.each([...scripts, ...unpacked])("$name names nothing that reaches a network", ({ text }) => {
  for (const pattern of REACHES_OUT) expect(pattern.exec(text)?.[0]).toBeUndefined();
});

it("starts threads only with its own code", () => {
  const starts = scripts.flatMap(({ text }) => {
    const names = ["Worker", ...Array.from(text.matchAll(/\bWorker as ([\w$]+)/g), ([, name]) => name)];
    return names.flatMap((name) => text.split(`new ${name}(`).slice(1));
  });
  const known = scripts.filter(({ text }) => THREADS.some((start) => start.test(text)));
  expect(starts).toHaveLength(known.length);
  expect(known).toHaveLength(THREADS.length);
  expect(unpacked.filter(({ text }) => text.includes("worker_threads"))).toHaveLength(1);
});

it("imports its own files, modules of Node that stay on the machine, and webgpu where it is installed", async () => {
  const { metafile } = await build({
    entryPoints: scripts.map(({ name }) => join(published, name)),
    external: ["*.wasm", "node:*", "webgpu"],
    outdir: published,
    ...({ bundle: true, format: "esm", metafile: true, write: false } as const),
  });
  const outside = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const modules = new Set(outside.map(({ path }) => path));
  expect([...modules].sort()).toEqual(["./engine.wasm", ...MODULES.map((name) => `node:${name}`), "webgpu"]);
});

it("contains the engine that its sources give, byte for byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "standin-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "engine.wasm");
  const { error } = await asc.main(["--config", "asconfig.json", "--target", "simd", "--outFile", path]);
  expect(error).toBeNull();
  expect(readFileSync(path).equals(readFileSync(join(published, "dist", "engine.wasm")))).toBe(true);
});
