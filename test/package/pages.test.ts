// The examples of the pages run as they stand: commands and programs with the installed package, JSON with its readers.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
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

describe.each(PAGES)("%s", (page) => {
  const folder = join(inject("installed"), "pages", basename(page, ".md"));
  const programs = blocks(page, "ts").map((code, at) => ({ code, path: join(folder, `${at}.mts`) }));
  const commands = blocks(page, "sh").filter((code) => /^standin /m.test(code));
  const documents = blocks(page, "json").map((json) => JSON.parse(json));

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    cpSync("examples", join(folder, "examples"), { recursive: true, filter: (path) => !path.includes("dist") });
    writeFileSync(join(folder, "people.csv"), people());
    writeFileSync(join(folder, "people.schema.json"), SCHEMA);
    writeFileSync(join(folder, "ledger.json"), LEDGER);
    for (const { code, path } of programs) writeFileSync(path, code);
  });

  if (programs.length)
    it("has programs that compile and run", () => {
      const paths = programs.map(({ path }) => path);
      compiled(paths, NODE).emit();
      for (const path of paths)
        execFileSync(process.execPath, [path.replace(".mts", ".mjs")], { cwd: folder, stdio: "pipe" });
    });

  if (commands.length)
    it("has commands that run in their order", () => {
      const PATH = [join(inject("installed"), "node_modules/.bin"), process.env.PATH].join(delimiter);
      for (const code of commands)
        execFileSync("sh", ["-e", "-c", code], { cwd: folder, stdio: "pipe", env: { ...process.env, PATH } });
    });

  if (documents.length)
    it("has JSON that means something", () => {
      for (const json of documents) {
        if (Array.isArray(json)) plan(parseSchema(SCHEMA), { epsilon: 1, workload: json });
        else if ("spent" in json) Budget.fromJSON(JSON.stringify(json));
        else expect(parseSchema("fields" in json ? json : { fields: [json] }).fields).not.toEqual([]);
      }
    });
});

/** A table for the schema of docs/schema.md. */
function people(): string {
  const rows = Array.from({ length: 400 }, (_, at) => [at + 1, at % 3 ? "F" : "M", (at * 7) % 100, at % 20, "a text"]);
  return [["id", "sex", "age", "income", "remark"], ...rows].map((row) => `${row.join()}\n`).join("");
}
