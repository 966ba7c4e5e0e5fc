// Every export says what it is, and the examples of functions and classes type-check and run against the installed
// package.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, inject, it } from "vitest";
import * as standin from "../../src/node.js";
import * as owner from "../../src/owner-node.js";
import { compiled, NODE } from "./compiled.js";
import { type Exported, exportsOf } from "./exports.js";

const ENTRIES = {
  standin: exportsOf(["src/node.ts", "src/browser.ts"]),
  "standin/owner": exportsOf(["src/owner-node.ts", "src/owner.ts"]),
};
const exported = Object.values(ENTRIES).flat();
const values: Readonly<Record<string, unknown>> = { ...standin, ...owner };
const functions = exported.filter(({ name }) => typeof values[name] === "function");

it.each(exported)("$name is documented", ({ summary }) => {
  expect(summary).not.toBe("");
});

it.each(functions)("$name has an example", ({ examples }) => {
  expect(examples).not.toEqual([]);
});

describe("the examples", () => {
  const folder = join(inject("installed"), "examples");
  const examples = functions
    .flatMap(({ name, examples }) => examples.map((code) => ({ name, code })))
    .map(({ name, code }, at) => ({ file: `${at}-${name}`, code }));
  const paths = examples.map(({ file }) => join(folder, `${file}.mts`));

  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, "people.csv"), "sex\nF\nM\n");
    const importsOf = ([entry, exports]: [string, Exported[]]) => {
      const names = new Set(exports.map(({ name }) => (name in values ? name : `type ${name}`)));
      return `import { ${[...names].join(", ")} } from "${entry}";\n`;
    };
    const imports = `import assert from "node:assert";\n${Object.entries(ENTRIES).map(importsOf).join("")}`;
    for (const [at, { code }] of examples.entries()) writeFileSync(paths[at], imports + asserting(code));
  });

  it("type-check against the package's declarations", () => {
    compiled(paths, NODE).emit();
  });

  it.each(examples)("$file runs", ({ file }) => {
    execFileSync(process.execPath, [`${file}.mjs`], { cwd: folder, stdio: "pipe" });
  });
});

it.each(["browser", "workerd"])("the declarations for %s hold with the web's types alone", (condition) => {
  const path = join(inject("installed"), `${condition}.ts`);
  writeFileSync(path, 'export * from "standin";\nexport * from "standin/owner";\n');
  compiled([path], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    customConditions: [condition],
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"].map((name) => `lib.${name}.d.ts`),
    types: [],
  });
});

/** An example whose lines `expression; // → value` assert it. */
function asserting(code: string): string {
  return code.replace(/^( *)(.+); \/\/ → (.+)$/gm, "$1assert.deepStrictEqual($2, $3);");
}
