// The example pages, built with the installed package and used in Chromium as a person would use them.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { VECTORS } from "../vectors/vectors.js";
import { browser, noChromium } from "./chromium.js";
import { serve } from "./serve.js";

const visit = browser();
const [{ csv, schema }] = VECTORS;
const HEADER = csv.split("\n")[0];
const SCHEMA = JSON.stringify(schema);

/** A copy of an example next to the installed package, with the other packages that it needs. */
function exampleWith(name: string, packages: readonly string[]): string {
  const folder = join(inject("installed"), name);
  cpSync(join("examples", name), folder, { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) });
  mkdirSync(join(folder, "node_modules"));
  for (const other of packages) symlinkSync(resolve("node_modules", other), join(folder, "node_modules", other));
  return folder;
}

/** Saves the file that a page offers. Returns its text. */
async function saved(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download]")]);
  return readFileSync(await download.path(), "utf8");
}

const linesOf = (text: string): string[] => text.split("\n");

it("plain-html: one file, from disk, with the network off", async ({ skip }) => {
  if (noChromium) skip(noChromium);
  const folder = exampleWith("plain-html", ["esbuild"]);
  execFileSync(process.execPath, [join(folder, "build.mjs")]);
  await visit(pathToFileURL(join(folder, "dist/stand-in.html")).href, async (page) => {
    await page.context().setOffline(true);
    await page.setInputFiles("input", [
      { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) },
      { name: "people.schema.json", mimeType: "application/json", buffer: Buffer.from(SCHEMA) },
    ]);
    await page.getByText("ε = 1 for one row").waitFor();
    const lines = linesOf(await saved(page));
    expect(lines[0]).toBe(HEADER);
    expect(lines.length).toBeGreaterThan(100);
    await page.setInputFiles("input", [
      { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) },
      { name: "broken.json", mimeType: "application/json", buffer: Buffer.from("{") },
    ]);
    await page.getByText("The schema is not JSON").waitFor();
  });
});

it("react-vite: a dropped table, with its schema and without", async ({ skip }) => {
  if (noChromium) skip(noChromium);
  const folder = exampleWith("react-vite", ["react", "react-dom", "vite"]);
  execFileSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"], { cwd: folder });
  await visit(`${await serve(join(folder, "dist"))}/index.html`, async (page) => {
    await page.context().setOffline(true);
    await drop(page, { "people.csv": csv, "people.schema.json": SCHEMA });
    await page.getByText("ε = 1 for one row").waitFor();
    expect(linesOf(await saved(page))[0]).toBe(HEADER);
    await drop(page, { "people.csv": csv });
    await page.getByText("NOT differentially private").waitFor();
    expect(linesOf(await saved(page))[0]).toBe(HEADER);
  });
});

async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const dataTransfer = await page.evaluateHandle((texts) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(texts)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent("main", "drop", { dataTransfer });
}
