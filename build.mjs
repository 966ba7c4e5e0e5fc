// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { minify } from "terser";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

/** Makes the engine, and its twin for hosts without SIMD. */
async function engine() {
  mkdirSync("dist", { recursive: true });
  for (const target of ["simd", "scalar"]) {
    const { error, stderr } = await asc.main(["--config", "asconfig.json", "--target", target]);
    if (error) throw new Error(`assembly/ does not compile: ${error.message}\n${stderr.toString()}`);
  }
}

const SHARED = {
  bundle: true,
  format: "esm",
  target: ["node20", "es2022"],
  loader: { ".wasm": "binary", ".txt": "text" },
  // package.json speaks of dist/: the entries of src/ have a side effect, they provide the engine.
  ignoreAnnotations: true,
  legalComments: "none",
  logLevel: "warning",
};

/** Makes a file small that pages load over a network, or that another file carries. Lines stay short: a runtime prints the line where an error was thrown. */
async function shrink(file) {
  const { code } = await minify(readFileSync(file, "utf8"), {
    module: true,
    ecma: 2022,
    compress: { passes: 3 },
    format: { max_line_len: 500 },
  });
  writeFileSync(file, code);
}

/** Characters that a string may hold as they are, and a page's script too: printable, but for the quote, the backslash and `<`. */
const DIGITS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter(
  (digit) => !'"\\<'.includes(digit),
);
/** Bytes below it are one digit; others follow one of the two last digits, for once or twice as much more. */
const ONE_DIGIT = DIGITS.length - 2;

/** Inlines the engine so that gzip still finds in it what it finds in the bytes: 3 KB less than in base64. */
const inlined = {
  name: "inlined",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => {
      const digitsOf = (byte) =>
        (byte < ONE_DIGIT ? "" : DIGITS[ONE_DIGIT - 1 + Math.floor(byte / ONE_DIGIT)]) + DIGITS[byte % ONE_DIGIT];
      const text = Array.from(readFileSync(path), digitsOf).join("");
      return {
        contents: `
          const bytes = [];
          let more = 0;
          for (const character of "${text}") {
            const code = character.charCodeAt(0);
            const digit = code - 32 - (code > 34) - (code > 60) - (code > 92);
            if (digit < ${ONE_DIGIT}) {
              bytes.push(more + digit);
              more = 0;
            } else more = ${ONE_DIGIT} * (digit - ${ONE_DIGIT - 1});
          }
          export default Uint8Array.from(bytes);`,
      };
    });
  },
};

/** What another thread of Node runs: a text that the entry carries. */
async function worker() {
  await build({
    ...SHARED,
    entryPoints: ["src/worker-node.ts"],
    outfile: "dist/worker.txt",
    format: "cjs",
    platform: "node",
    minify: true,
  });
  await shrink("dist/worker.txt");
}

/** The command line and Node's entries share their chunks; what a command does not need is not even read. */
function node() {
  return build({
    ...SHARED,
    entryPoints: { node: "src/node.ts", "owner-node": "src/owner-node.ts", cli: "src/cli/main.ts" },
    outdir: "dist",
    chunkNames: "node/[name]-[hash]",
    platform: "node",
    splitting: true,
  });
}

/**
 * The entries of browsers and edge runtimes, and the chunks that they share. What a chunk holds stands in a function, since a page's other threads run
 * the text of those functions that they need: so no code is carried twice, and there is no file that a page from disk could not load.
 */
async function web() {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: ["src/browser.ts", "src/edge.ts", "src/owner.ts", "src/worker.ts"],
    outdir: "dist",
    chunkNames: "web/[name]-[hash]",
    platform: "browser",
    splitting: true,
    minify: true,
    plugins: [inlined],
    external: ["./engine.wasm"],
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const scripts = resolve("dist/worker.js");
  mkdirSync("dist/web", { recursive: true });
  for (const [path, text] of texts) {
    if (path === scripts) continue;
    const isChunk = dirname(path) === resolve("dist/web");
    writeFileSync(
      path,
      isChunk ? asModule(text) : basename(path) === "browser.js" ? threadText(texts, scripts) + text : text,
    );
    await shrink(path);
  }
}

/** The imports, the code and the exports of a file that esbuild made, which have no default: [name there, name here] each. */
function partsOf(text) {
  const [, header, body, names] = /^((?:import(?:\{[^}]*\}from)?"[^"]+";)*)(.*)export\{([^}]*)\};\s*$/s.exec(text);
  // Without names it is another chunk's side effects, of which there are none.
  const imports = [...header.matchAll(/import\{([^}]*)\}from"([^"]+)";/g)];
  return { imports: imports.map(([, list, from]) => ({ names: pairs(list), from })), body, exports: pairs(names) };
}

const pairs = (names) => names.split(",").map((name) => name.trim().split(" as "));

/** A file's code as a function of what it imports, which returns what it exports. */
function asFunction({ imports, body, exports }) {
  const parameters = imports.map(({ names }) => `{${names.map(([there, here = there]) => `${there}:${here}`)}}`);
  return `function bundle(${parameters}){${body}return{${exports.map(([here, there = here]) => `${there}:${here}`)}}}`;
}

/** A module that exports that function and what it returns. */
function asModule(text) {
  const parts = partsOf(text);
  const imports = parts.imports.map(({ from }, at) => `import*as needed${at} from"${from}";`).join("");
  const names = parts.exports.map(([here, there = here]) => there);
  const needed = parts.imports.map((_, at) => `needed${at}`);
  return `${imports}export ${asFunction(parts)};export const{${names}}=bundle(${needed});`;
}

/** The declaration of `threadScript`, what a page's other thread runs: the functions of the chunks that it needs, and its own. */
function threadText(texts, script) {
  const order = [];
  const add = (path) => {
    if (order.includes(path)) return;
    for (const { from } of partsOf(texts.get(path)).imports) add(resolve(dirname(path), from));
    order.push(path);
  };
  add(script);
  const nameOf = (path) => `chunk${order.indexOf(path)}`;
  const calls = order.map((path) => {
    const parts = partsOf(texts.get(path));
    const needed = parts.imports.map(({ from }) => nameOf(resolve(dirname(path), from)));
    const code = path === script ? asFunction(parts) : nameOf(path);
    return `const ${nameOf(path)}=(\${${code}})(${needed});`;
  });
  const imports = order.slice(0, -1).map((path) => `import{bundle as ${nameOf(path)}}from"./web/${basename(path)}";`);
  return `${imports.join("")}const threadScript=()=>\`"use strict";${calls.join("")}${nameOf(script)}.serve(self)\`;`;
}

async function entries() {
  for (const chunks of ["dist/node", "dist/web"]) rmSync(chunks, { recursive: true, force: true });
  await worker();
  await Promise.all([node(), web()]);
}

function types() {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}

const [part] = process.argv.slice(2);
if (part === "--engine") {
  await engine();
} else if (part === "--entries") {
  await entries();
} else if (part === "--types") {
  types();
} else {
  rmSync("dist", { recursive: true, force: true });
  await engine();
  await entries();
  types();
}
