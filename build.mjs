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

async function entries() {
  for (const chunks of ["dist/node", "dist/web"]) rmSync(chunks, { recursive: true, force: true });
  const [, { metafile }] = await Promise.all([
    // The command line and the entries share their chunks; what a command does not need is not even read.
    build({
      ...SHARED,
      entryPoints: { node: "src/node.ts", "owner-node": "src/owner-node.ts", cli: "src/cli/main.ts" },
      outdir: "dist",
      chunkNames: "node/[name]-[hash]",
      platform: "node",
      splitting: true,
    }),
    build({
      ...SHARED,
      entryPoints: ["src/browser.ts", "src/edge.ts", "src/owner.ts"],
      outdir: "dist",
      chunkNames: "web/[name]-[hash]",
      platform: "browser",
      splitting: true,
      minify: true,
      plugins: [inlined],
      external: ["./engine.wasm"],
      metafile: true,
    }),
  ]);
  await Promise.all(Object.keys(metafile.outputs).map(shrink));
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
