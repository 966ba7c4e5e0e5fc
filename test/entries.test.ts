// The built entries, loaded as other programs load them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { loadedBy } from "./loaded.js";

type Api = typeof import("../src/node.js");

const folder = mkdtempSync(join(tmpdir(), "standin-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (path: string): Promise<Api> => import(/* @vite-ignore */ pathToFileURL(resolve(path)).href);

/** The edge entry, with the compiled module that an edge runtime would pass to it. */
function edgeEntry(): string {
  const imported = /import (\w+) from\s*"\.\/engine\.wasm";?/;
  const source = readFileSync("dist/edge.js", "utf8");
  expect(source).toMatch(imported);
  const path = join(folder, "edge.mjs");
  const bytes = JSON.stringify(resolve("dist/engine.wasm"));
  writeFileSync(
    path,
    source
      .replace(imported, `import{readFileSync}from"node:fs";const $1=new WebAssembly.Module(readFileSync(${bytes}));`)
      .replaceAll('"./shared/', `"${pathToFileURL("dist/shared").href}/`),
  );
  return path;
}

const TEXT = "group,score\na,1\nb,2\na,3\n";
const SCHEMA = {
  fields: [
    { name: "group", type: "string", constraints: { enum: ["a", "b"] } },
    { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
  ],
};

describe.each([
  ["node", () => "dist/node.js"],
  ["browser", () => "dist/browser.js"],
  ["edge", edgeEntry],
])("%s", (_, path) => {
  it("reads, plans, synthesizes, resamples and writes", async () => {
    const { readCsv, parseSchema, plan, synthesize, csvStream, parseRelease, resample, toCsv } = await load(path());
    const schema = parseSchema(SCHEMA);
    const table = await readCsv(new Blob([TEXT]), schema);
    const release = await synthesize(table, plan(schema, { epsilon: 1 }), { rows: 20, seed: 7 });
    expect(release.table.column("group")).toHaveLength(20);
    expect([...release.table.rows()][0]).toHaveProperty("score");
    expect(await new Response(csvStream(release.table)).text()).toBe(toCsv(release.table));
    const again = await resample(parseRelease(JSON.stringify(release)));
    expect(toCsv(again.table)).toBe(toCsv(release.table));
  });
});

it("no module exports a variable: users of a part would not see it change", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const texts = sources.map((name) => readFileSync(join("src", name), "utf8"));
  expect(sources.filter((_, at) => /^export (?:let|var)\b/m.test(texts[at]))).toEqual([]);
});

it("importing compiles and instantiates nothing, and draws no key", () => {
  const script = `
    const refuse = () => { throw new Error("too early"); };
    for (const name of ["Module", "Instance", "compile", "instantiate"]) WebAssembly[name] = refuse;
    crypto.getRandomValues = refuse;
    await import(${JSON.stringify(pathToFileURL(resolve("dist/node.js")).href)});
    await import(${JSON.stringify(pathToFileURL(resolve("dist/browser.js")).href)});
    await import(${JSON.stringify(pathToFileURL(resolve("dist/owner.js")).href)});`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script]);
});

it("Node and browsers load one copy of the engine, edge runtimes and the owner's tools none", async () => {
  const engine = readFileSync("dist/engine.wasm");
  const scripts = readdirSync("dist/shared").map((name) => join("dist/shared", name));
  const exported = await Promise.all(scripts.map(async (path) => Object.values(await load(path))));
  const isEngine = (value: unknown) => value instanceof Uint8Array && engine.equals(value);
  const [carrier, ...more] = scripts.filter((_, at) => exported[at].some(isEngine));
  expect(more).toEqual([]);
  const entries = ["node", "owner-node", "browser", "owner", "edge", "owner-edge", "owner-tools"];
  const withEngine = entries.filter((name) => loadedBy(`dist/${name}.js`).has(carrier));
  expect(withEngine).toEqual(["node", "owner-node", "browser", "owner"]);
  expect(readFileSync("dist/owner-edge.js", "utf8")).toBe('import"./edge.js";export*from"./owner-tools.js";\n');
});

it("the main entries do not load the owner's tools, nor the command line what a command needs", () => {
  const [, tools] = loadedBy("dist/owner-tools.js");
  expect(readFileSync(tools, "utf8")).toContain("The first line looks like a row");
  for (const name of ["node", "browser", "edge", "cli"]) expect(loadedBy(`dist/${name}.js`)).not.toContain(tools);
  const sizes = Array.from(loadedBy("dist/cli.js"), (path) => statSync(path).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(30_000);
});

it.each(["owner-node", "owner"])("%s alone has an engine", async (name) => {
  const script = `
    const { nonPrivateProposal } = await import(${JSON.stringify(pathToFileURL(resolve(`dist/${name}.js`)).href)});
    const { descriptor } = await nonPrivateProposal(new Blob(["sex\\nF\\n"]));
    console.log(descriptor.fields[0].name);`;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })).toBe("sex\n");
});

it.each([
  ["node", "dist/node.js", "dist/owner-node.js"],
  ["browser", "dist/browser.js", "dist/owner.js"],
  ["edge", edgeEntry, "dist/owner-tools.js"],
])("%s: the owner's tools take the entry's schemas, and give schemas that it takes", async (_, entry, path) => {
  const { parseCsv, parseSchema, plan } = await load(typeof entry === "string" ? entry : entry());
  const owner: typeof import("../src/owner-node.js") = await import(pathToFileURL(resolve(path)).href);
  const { columns } = await owner.nonPrivateCheck(new Blob([TEXT]), parseSchema(SCHEMA));
  expect(columns[0].unlisted).toBe(0);
  const { descriptor, readFacts } = await owner.nonPrivateProposal(new Blob([TEXT]));
  expect(readFacts).not.toEqual([]);
  expect(plan(parseSchema(owner.confirmFacts(descriptor)), { epsilon: 1 }).toJSON().items).not.toEqual([]);
  const table = parseCsv(TEXT, parseSchema(SCHEMA));
  expect(owner.nonPrivateQueryErrors(table, table, parseSchema(SCHEMA)).meanTv).toBe(0);
});

describe("readCsv in Node", () => {
  const people = join(folder, "people.csv");
  const packed = join(folder, "people.csv.gz");
  writeFileSync(people, TEXT);
  writeFileSync(packed, gzipSync(TEXT));
  const bytes = new TextEncoder().encode(TEXT);

  it.each<[string, () => Parameters<Api["readCsv"]>[0]]>([
    ["a path", () => people],
    ["a packed path", () => packed],
    ["a file URL", () => pathToFileURL(people)],
    ["a Blob", () => new Blob([TEXT])],
    ["a stream", () => new Blob([TEXT]).stream()],
    ["pieces of one byte", () => pieces()],
  ])("takes %s", async (_, source) => {
    const { readCsv, parseSchema } = await load("dist/node.js");
    const table = await readCsv(source(), parseSchema(SCHEMA));
    expect(table.column("score")).toEqual([1, 2, 3]);
  });

  async function* pieces() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }

  it("reports percentages of a file's bytes", async () => {
    const { readCsv, parseSchema } = await load("dist/node.js");
    const told: unknown[] = [];
    await readCsv(people, parseSchema(SCHEMA), { onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toEqual({ phase: "read", percent: 100 });
  });

  it.each<[string, string | URL, string, RegExp]>([
    ["a file that is not there", join(folder, "no.csv"), "files/refused", /no\.csv does not exist/],
    ["a folder", folder, "files/refused", /is a folder/],
    ["a URL of the web", new URL("https://example.org/people.csv"), "files/url", /https: URLs are not opened/],
  ])("refuses %s", async (_, source, code, words) => {
    const { readCsv, parseSchema } = await load("dist/node.js");
    await expect(readCsv(source, parseSchema(SCHEMA))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words),
    });
  });
});
