// bindings/ABI.md names every export with its signature and every constant with its value, and nothing else.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import bytes from "../dist/engine.wasm";
import * as layout from "../src/engine/layout.js";

const page = readFileSync("bindings/ABI.md", "utf8");
const module = new WebAssembly.Module(bytes);

/** The code spans at the start of the rows of the page's tables, each with the cell after it. */
const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, code, cell]) => ({ code, cell }));
const documented = rows.filter(({ code }) => code.includes("("));
const nameOf = (signature: string) => signature.slice(0, signature.indexOf("("));

it("names the exports of the module", () => {
  const exported = WebAssembly.Module.exports(module);
  expect(exported.filter(({ kind }) => kind !== "function")).toEqual([{ name: "memory", kind: "memory" }]);
  const functions = exported.filter(({ kind }) => kind === "function").map(({ name }) => name);
  expect(documented.map(({ code }) => nameOf(code)).sort()).toEqual(functions.sort());
});

it("gives the same signatures as the sources", () => {
  expect(documented.map(({ code }) => code).sort()).toEqual(signatures().sort());
});

it("gives the constants of the layout their values", () => {
  const constants = rows.filter(({ code }) => /^[A-Z0-9_]+$/.test(code));
  const numbers = constants.map(({ code, cell }) => [code, Number(cell)] as const);
  expect(new Map(numbers)).toEqual(new Map(Object.entries(layout)));
  expect(constants).toHaveLength(Object.keys(layout).length);
});

it("describes the module correctly", () => {
  expect(WebAssembly.Module.imports(module)).toEqual([]);
  const { memory } = new WebAssembly.Instance(module).exports as { memory: WebAssembly.Memory };
  expect(page).toContain(`${memory.buffer.byteLength / 65_536} pages at first`);
  expect(page).toContain(`its contract, version ${layout.ABI_VERSION} `);
});

/** The signatures of the functions that assembly/index.ts exports, each on one line. */
function signatures(): string[] {
  const index = readFileSync("assembly/index.ts", "utf8");
  const elsewhere = [...index.matchAll(/export \{([^}]*)\} from "\.\/([^"]*)"/g)].flatMap(([, names, path]) => {
    const source = readFileSync(`assembly/${path}.ts`, "utf8");
    return names.split(",").flatMap((name) => (name.trim() ? [signatureIn(source, name.trim())] : []));
  });
  return [signatureIn(index, "abiVersion"), ...elsewhere];
}

function signatureIn(source: string, name: string): string {
  const [, parameters, result] = new RegExp(`export function ${name}\\(([^)]*)\\): (\\w+)`).exec(source)!;
  const list = parameters.split(",").flatMap((parameter) => parameter.trim() || []);
  return `${name}(${list.join(", ")}): ${result}`;
}
