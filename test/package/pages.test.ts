// The examples in the pages run unchanged: commands and programs with the installed package, JSON with its readers.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { Budget, parseSchema, plan } from "../../src/node.js";
import { compiled, NODE } from "./compiled.js";

const PAGES = ["README.md", ...readdirSync("docs").map((name) => join("docs", name))];

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  const fences = readFileSync(page, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return Array.from(fences, ([, code]) => code);
}

const [SCHEMA] = blocks("docs/schema.md", "json");
const LEDGER = blocks("docs/releases.md", "json").find((json) => "spent" in JSON.parse(json))!;

const home = join(inject("installed"), "pages");
const folderOf = (page: string) => join(home, basename(page, ".md"));
const programs = PAGES.flatMap((page) =>
  blocks(page, "ts").map((code, at) => ({ name: `${page} ${at + 1}`, code, path: join(folderOf(page), `${at}.mts`) })),
);
const commands = PAGES.flatMap((page) =>
  blocks(page, "sh")
    .filter((code) => /^standin /m.test(code))
    .map((code, at) => ({ name: `${page} ${at + 1}`, code, folder: folderOf(page) })),
);
const documents = PAGES.flatMap((page) =>
  blocks(page, "json").map((code, at) => ({ name: `${page} ${at + 1}`, json: JSON.parse(code) })),
);

beforeAll(() => {
  for (const page of PAGES) {
    const folder = folderOf(page);
    mkdirSync(folder, { recursive: true });
    cpSync("examples", join(folder, "examples"), { recursive: true, filter: (path) => !path.includes("dist") });
    writeFileSync(join(folder, "people.csv"), people());
    writeFileSync(join(folder, "people.schema.json"), SCHEMA);
    writeFileSync(join(folder, "ledger.json"), LEDGER);
  }
  for (const { code, path } of programs) writeFileSync(path, code);
});

describe("programs", () => {
  it("type-check against the package's declarations", () => {
    const paths = programs.map(({ path }) => path);
    compiled(paths, NODE).emit();
  });

  it.each(programs)("$name runs", ({ path }) => {
    execFileSync(process.execPath, [path.replace(".mts", ".mjs")], { cwd: dirname(path), stdio: "pipe" });
  });
});

it.each(commands)("the commands of $name run in their order", ({ code, folder }) => {
  const PATH = [join(inject("installed"), "node_modules/.bin"), process.env.PATH].join(delimiter);
  execFileSync("sh", ["-e", "-c", code], { cwd: folder, stdio: "pipe", env: { ...process.env, PATH } });
});

it.each(documents)("the JSON of $name is what its readers accept", ({ json }) => {
  if (Array.isArray(json)) plan(parseSchema(SCHEMA), { epsilon: 1, workload: json });
  else if ("spent" in json) Budget.fromJSON(JSON.stringify(json));
  else expect(parseSchema("fields" in json ? json : { fields: [json] }).fields).not.toEqual([]);
});

/** A table for the schema of docs/schema.md. */
function people(): string {
  const rows = Array.from({ length: 400 }, (_, at) => [at + 1, at % 3 ? "F" : "M", (at * 7) % 100, at % 20, "a text"]);
  return [["id", "sex", "age", "income", "remark"], ...rows].map((row) => `${row.join()}\n`).join("");
}
