// The published package: its manifest, its files, and what they never do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, inject, it, onTestFinished } from "vitest";
import { VERSION } from "../../src/core/version.js";
import { loadedBy } from "../loaded.js";

const json = JSON.parse(readFileSync("package.json", "utf8"));
const published = join(inject("installed"), "node_modules/standin");
const files = readdirSync(published, { recursive: true, encoding: "utf8" }).filter((name) =>
  statSync(join(published, name)).isFile(),
);
const scripts = files
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, text: readFileSync(join(published, name), "utf8") }));

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
  const packed = Array.from(
    loadedBy(join(published, "dist/browser.js")),
    (path) => gzipSync(readFileSync(path)).length,
  );
  const added = packed.reduce((sum, bytes) => sum + bytes);
  for (const page of ["README.md", "docs/api.md"]) {
    const [, said] = /adds\s+(\d+) KB \(gzip\)/.exec(readFileSync(page, "utf8"))!;
    expect(Math.abs(Number(said) - added / 1000), page).toBeLessThan(2);
  }
});

/** Names through which code reaches a network, or runs code that is not in the package. */
const REACHES_OUT = [
  /\b(fetch|importScripts|eval(?!:!0)|sendBeacon|createConnection)\b/,
  /\b(XMLHttpRequest|WebSocket|WebTransport|EventSource|RTCPeerConnection|Function)\s*\(/,
  /\.connect\s*\(/,
  /\bimport\s*\((?!"(\.\/|webgpu"))/,
  /\brequire\s*\((?!"node:worker_threads"\)\.parentPort')/,
];
/** How threads are started, in Node and in browsers: with `threadScript` and where its port is. */
const THREADS = [
  /\bimport\{threadScript as ([\w$]+)\}.*?new [\w$]+\(\1\('require\("node:worker_threads"\)\.parentPort'\),\{eval:!0,/s,
  /\bimport\{threadScript as ([\w$]+)\}.*?new Blob\(\[\1\("self"\)\]\)\),[\w$]+=new Worker\([\w$]+\)/s,
];
/** What that gives: the text of functions of the package, and the port. */
const SCRIPT =
  /=([\w$]+)=>`"use strict";const __name=value=>value;(?:const \w+=\(\$\{[\w$]+\}\)\([\w,]*\);)+\(\$\{function\([^`]*\}\}\)\([\w,]*\)\.serve\(\$\{\1\}\)`/;

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

it.each(scripts)("$name names nothing that reaches a network", ({ text }) => {
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
  expect(scripts.filter(({ text }) => SCRIPT.test(text))).toHaveLength(1);
});

it("carries nothing encoded but the engine", async () => {
  expect(scripts.filter(({ text }) => /["'`][\w+/]{200,}=*["'`]/.test(text)).map(({ name }) => name)).toEqual([]);
  const shared = scripts.filter(({ name }) => name.startsWith("dist/shared/"));
  const exported = await Promise.all(shared.map(({ name }) => import(pathToFileURL(join(published, name)).href)));
  const bytes = exported.flatMap((values) => Object.values(values)).filter((value) => value instanceof Uint8Array);
  expect(bytes).toEqual([new Uint8Array(readFileSync(join(published, "dist/engine.wasm")))]);
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
