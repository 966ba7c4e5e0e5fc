// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { minify } from "terser";
import { cutDeclarations } from "./declarations.mjs";
import { carriedCode, carriedWgsl } from "./gpu/carried.mjs";

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
  loader: { ".wasm": "binary" },
  // package.json speaks of dist/: the entries of src/ have a side effect, they provide the engine.
  ignoreAnnotations: true,
  legalComments: "none",
  logLevel: "warning",
};

/**
 * Makes a file small that pages load over a network, or that another file carries. Lines stay short: a runtime prints
 * the line where an error was thrown.
 */
async function shrink(file) {
  const { code } = await minify(readFileSync(file, "utf8"), {
    module: true,
    ecma: 2022,
    compress: { passes: 3 },
    format: { max_line_len: 5000 },
  });
  writeFileSync(file, code);
}

/**
 * Characters that a string may hold as they are, and a page's script too: printable, but for the quote, the backslash
 * and `<`.
 */
const DIGITS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter(
  (digit) => !'"\\<'.includes(digit),
);
/**
 * Numbers below this are one digit. In larger ones, one of the last two digits comes first: it adds this once or twice.
 */
const ONE_DIGIT = DIGITS.length - 2;

/** The bytes from ONE_DIGIT up that are among the most frequent, each followed by a rarer one to trade places with. */
function trades(bytes) {
  const times = new Array(256).fill(0);
  for (const byte of bytes) times[byte]++;
  const rarest = [...times.keys()].sort((a, b) => times[a] - times[b]);
  const low = rarest.slice(0, -ONE_DIGIT).filter((byte) => byte < ONE_DIGIT);
  const high = rarest.slice(-ONE_DIGIT).filter((byte) => byte >= ONE_DIGIT);
  return high.flatMap((byte, at) => [byte, low[at]]);
}

/** Inlines the engine so that gzip still finds the patterns that the bytes have: 7 KB less than with base64. */
const inlined = {
  name: "inlined",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => {
      const bytes = readFileSync(path);
      const pairs = trades(bytes);
      const traded = new Map(pairs.map((byte, at) => [byte, pairs[at ^ 1]]));
      const digitsOf = (number) =>
        (number < ONE_DIGIT ? "" : DIGITS[ONE_DIGIT - 1 + Math.floor(number / ONE_DIGIT)]) + DIGITS[number % ONE_DIGIT];
      const text = [...pairs, ...Array.from(bytes, (byte) => traded.get(byte) ?? byte)].map(digitsOf).join("");
      return {
        contents: `
          const numbers = [];
          let more = 0;
          for (const character of "${text}") {
            const code = character.charCodeAt(0);
            const digit = code - 32 - (code > 34) - (code > 60) - (code > 92);
            if (digit < ${ONE_DIGIT}) {
              numbers.push(more + digit);
              more = 0;
            } else more = ${ONE_DIGIT} * (digit - ${ONE_DIGIT - 1});
          }
          const pairs = numbers.splice(0, ${pairs.length});
          const traded = new Map(pairs.map((byte, at) => [byte, pairs[at ^ 1]]));
          export default Uint8Array.from(numbers, (byte) => traded.get(byte) ?? byte);`,
      };
    });
  },
};

/**
 * Inlines the engine, the kernels of GPUs and the text of other threads for Node, which can decompress them: half of
 * what they take otherwise.
 */
const compressed = {
  name: "compressed",
  setup({ onLoad }) {
    const inflated = (content, use) => {
      const text = brotliCompressSync(content).toString("base64");
      return {
        contents: `
          import { brotliDecompressSync } from "node:zlib";
          export default ${use(`brotliDecompressSync(Buffer.from("${text}", "base64"))`)};`,
      };
    };
    onLoad({ filter: /\.wasm$/ }, ({ path }) => inflated(readFileSync(path), (bytes) => bytes));
    onLoad({ filter: /\.txt$/ }, ({ path }) => inflated(readFileSync(path), (bytes) => `() => ${bytes}.toString()`));
    onLoad({ filter: /\.wgsl$/ }, ({ path }) => inflated(carriedWgsl(path), (bytes) => `${bytes}.toString()`));
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
async function node() {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: { node: "src/node.ts", "owner-node": "src/owner-node.ts", cli: "src/cli/main.ts" },
    outdir: "dist",
    chunkNames: "node/[name]-[hash]",
    platform: "node",
    external: ["webgpu"],
    splitting: true,
    minify: true,
    plugins: [compressed],
    write: false,
  });
  mkdirSync("dist/node", { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  await Promise.all(outputFiles.map(({ path }) => shrink(path)));
}

/**
 * The entries of browsers and edge runtimes, and in one file what they share. esbuild parts that by who needs what;
 * each part stands in a function, since a page's other threads run the text of those that they need: so no code is
 * carried twice, and none is loaded that a page from disk could not load.
 */
async function web() {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: {
      ...{ browser: "src/browser.ts", edge: "src/edge.ts", worker: "src/worker.ts" },
      "owner-tools": "src/owner.ts",
    },
    outdir: "dist",
    chunkNames: "part-[hash]",
    platform: "browser",
    splitting: true,
    minify: true,
    plugins: [inlined, carriedCode],
    external: ["./engine.wasm"],
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [basename(path), partsOf(text)]));
  const parts = partsFor(files, files.keys());
  const nameOf = (file) => `part${parts.indexOf(file)}`;
  const needs = (file) => files.get(file).imports.map(({ from }) => nameOf(from));
  /** A file's code as a function of the parts that it needs. */
  const codeOf = (file) => {
    const { imports, body, exports } = files.get(file);
    const returned = exports.map(([here, there]) => `${there}:${here}`);
    return `function(${imports.map(({ names }) => `{${names}}`)}){${body}return{${returned}}}`;
  };
  const made = parts.map(
    (part) => `const code_${nameOf(part)}=${codeOf(part)},${nameOf(part)}=code_${nameOf(part)}(${needs(part)});`,
  );
  const shared = parts.flatMap((part) => [nameOf(part), `code_${nameOf(part)}`]);
  writeFileSync("dist/web.js", `${made.join("")}export{${shared}};`);

  const calls = partsFor(files, ["worker.js"]).map(
    (part) => `const ${nameOf(part)}=(\${code_${nameOf(part)}})(${needs(part)});`,
  );
  const script = `"use strict";${calls.join("")}(\${${codeOf("worker.js")}})(${needs("worker.js")}).serve(self)`;
  const names = ["browser.js", "edge.js", "owner-tools.js"];
  for (const name of names) {
    const { others, imports, body, exports } = files.get(name);
    const taken = imports.map(({ names, from }) => `const{${names}}=${nameOf(from)};`).join("");
    const declared = name === "browser.js" ? `const threadScript=()=>\`${script}\`;` : "";
    const list = exports.map(([here, there]) => `${here} as ${there}`);
    writeFileSync(
      `dist/${name}`,
      `import{${shared}}from"./web.js";${others}${taken}${declared}${body}export{${list}};`,
    );
  }
  await Promise.all(["web.js", ...names].map((name) => shrink(`dist/${name}`)));
  // The owner's tools run in the engine of the main entry.
  for (const [name, main] of [
    ["owner", "browser"],
    ["owner-edge", "edge"],
  ])
    writeFileSync(`dist/${name}.js`, `import"./${main}.js";export*from"./owner-tools.js";\n`);
}

/** The parts that some files need, each after those that it needs itself. */
function partsFor(files, names, found = new Set()) {
  for (const name of names) {
    const needed = files.get(name).imports.map(({ from }) => from);
    partsFor(files, needed, found);
    for (const part of needed) found.add(part);
  }
  return [...found];
}

/**
 * What stands in a file that esbuild made: imports of parts, other imports, the code, and exports as [name here, name
 * there].
 */
function partsOf(text) {
  const [, imports, body, list] = /^((?:import[^;]*;)*)(.*)export\{([^}]*)\};\s*$/s.exec(text);
  const named = [...imports.matchAll(/import\{([^}]*)\}from"\.\/(part-[^"]+)";/g)];
  return {
    others: imports.replace(/import(?:\{[^}]*\}from)?"\.\/part-[^"]+";/g, ""),
    imports: named.map(([, names, from]) => ({ names: names.replaceAll(" as ", ":"), from })),
    body,
    exports: list.split(",").map((name) => (([here, there = here]) => [here, there])(name.trim().split(" as "))),
  };
}

async function entries() {
  rmSync("dist/node", { recursive: true, force: true });
  await worker();
  await Promise.all([node(), web()]);
}

/** The declarations of the entries, and of what they name. */
function types() {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
  cutDeclarations("dist/types", [
    ...["node", "browser", "edge", "owner", "owner-node"].map((entry) => `src/${entry}`),
    "src/index",
  ]);
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
