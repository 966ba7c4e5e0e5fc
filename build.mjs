// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  loader: { ".wasm": "binary" },
  // package.json speaks of dist/: the entries of src/ have a side effect, they provide the engine.
  ignoreAnnotations: true,
  legalComments: "none",
  logLevel: "warning",
};

/** Makes a file small that pages and workers load over a network. Lines stay short: a runtime prints the line where an error was thrown. */
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

async function entries() {
  rmSync("dist/node", { recursive: true, force: true });
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
    build({
      ...SHARED,
      entryPoints: ["src/browser.ts"],
      outfile: "dist/browser.js",
      platform: "browser",
      minify: true,
      plugins: [hexadecimal],
    }),
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
