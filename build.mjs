// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { minify } from "terser";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

async function engine() {
  mkdirSync("dist", { recursive: true });
  const { error, stderr } = await asc.main(["--config", "asconfig.json", "--target", "simd"]);
  if (error) throw new Error(`assembly/ does not compile: ${error.message}\n${stderr.toString()}`);
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

/** Inlines the engine as hexadecimal digits: longer than base64, but gzip sees whole bytes in them and makes 2 KB less of it. */
const hexadecimal = {
  name: "hexadecimal",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: `export default Uint8Array.from("${readFileSync(path, "hex")}".match(/../g), (digits) => parseInt(digits, 16));`,
    }));
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

/**
 * The browser's entry: a function around all of it, and what that returns as exports. A worker runs the same function, made from its own text,
 * so that no code is carried twice.
 */
async function browser() {
  const options = { ...SHARED, platform: "browser", minify: true, plugins: [hexadecimal], write: false };
  const entry = await build({ ...options, entryPoints: ["src/browser.ts"], outdir: "dist", metafile: true });
  const [{ exports: names }] = Object.values(entry.metafile.outputs);
  const contents = 'export * from "./src/browser.ts"; export { serve } from "./src/worker.ts";';
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: "." } });
  const returned = outputFiles[0].text.replace(
    /export\{([^}]*)\};\s*$/,
    (_, list) => `return{${list.replace(/([\w$]+) as ([\w$]+)/g, "$2:$1")}}`,
  );
  writeFileSync("dist/browser.js", `export const {${names}} = (function bundle() {${returned}})();`);
}

async function entries() {
  rmSync("dist/node", { recursive: true, force: true });
  await worker();
  await Promise.all([
    // The command line and the Node entry share their chunks; what a command does not need is not even read.
    build({
      ...SHARED,
      entryPoints: { node: "src/node.ts", cli: "src/cli/main.ts" },
      outdir: "dist",
      chunkNames: "node/[name]-[hash]",
      platform: "node",
      splitting: true,
    }),
    browser(),
    build({
      ...SHARED,
      entryPoints: ["src/edge.ts"],
      outfile: "dist/edge.js",
      platform: "browser",
      minify: true,
      external: ["./engine.wasm"],
    }),
  ]);
  await Promise.all([shrink("dist/browser.js"), shrink("dist/edge.js")]);
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
