// The installed package in headless Chromium: bundled and unbundled, from a server and from disk, with the network off.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import * as standin from "../../src/node.js";
import { expected, type job, measuredBy } from "../vectors/job.mjs";
import { VECTORS } from "../vectors/vectors.js";
import { BUNDLERS, sources } from "./bundlers.js";
import { browser, noChromium } from "./chromium.js";
import { serve } from "./serve.js";

const visit = browser();

declare const run: (vectors: typeof VECTORS) => ReturnType<typeof job>;
declare const runInThreads: (threads: number) => ReturnType<typeof measuredBy>;

/**
 * Makes an open page do the job without a network, and compares its bytes with the vectors; then part of it in two
 * threads.
 */
async function makesTheSameBytes(page: Page): Promise<void> {
  await page.waitForFunction(() => "run" in globalThis);
  await page.context().setOffline(true);
  expect(await page.evaluate((vectors) => run(vectors), VECTORS)).toEqual(await expected(VECTORS));
  expect(await page.evaluate(() => runInThreads(2))).toBe(await measuredBy(1, standin));
}

it.for(Object.entries(BUNDLERS))("bundled by %s, from a server", async ([, bundle], { skip }) => {
  if (noChromium) skip(noChromium);
  const folder = sources(inject("installed"));
  const script = await bundle(folder, "browser");
  writeFileSync(join(folder, "index.html"), `<!doctype html><script type="module" src="${script}"></script>`);
  await visit(`${await serve(folder)}/index.html`, makesTheSameBytes);
});

it("unbundled, from a server", async ({ skip }) => {
  if (noChromium) skip(noChromium);
  const folder = sources(inject("installed"));
  cpSync(join(inject("installed"), "node_modules/standin/dist"), join(folder, "standin"), { recursive: true });
  const page = readFileSync(join(folder, "page.mjs"), "utf8");
  writeFileSync(join(folder, "page.mjs"), page.replace('from "standin"', 'from "./standin/browser.js"'));
  await visit(`${await serve(folder)}/index.html`, makesTheSameBytes);
});

/**
 * The only things that a page from disk may do: run its own scripts and styles, compile WebAssembly, start workers from
 * blobs.
 */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:";

/** A page in one file that contains this script. Returns its URL. */
function pageOnDisk(folder: string, script: string): string {
  const path = join(folder, "page.html");
  const policy = `<meta http-equiv="content-security-policy" content="${POLICY}">`;
  const inlined = `<script>${script.replaceAll("</script", "<\\/script")}</script>`;
  writeFileSync(path, `<!doctype html><meta charset="utf-8">${policy}${inlined}`);
  return pathToFileURL(path).href;
}

it("in one file, from disk, under a strict content policy", async ({ skip }) => {
  if (noChromium) skip(noChromium);
  const folder = sources(inject("installed"));
  const bundled = await build({ entryPoints: [join(folder, "page.mjs")], bundle: true, format: "iife", write: false });
  await visit(pageOnDisk(folder, bundled.outputFiles[0].text), makesTheSameBytes);
});

it("sees what a page does wrong", async ({ skip }) => {
  if (noChromium) skip(noChromium);
  const asks = pageOnDisk(sources(inject("installed")), 'fetch("https://example.org")');
  await expect(visit(asks, async () => {})).rejects.toThrow(/Content Security Policy/);
});
