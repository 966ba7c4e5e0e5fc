// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

async function engine() {
  mkdirSync("dist", { recursive: true });
  const { error, stderr } = await asc.main(["--config", "asconfig.json", "--target", "simd"]);
  if (error) throw new Error(`assembly/ does not compile: ${error.message}\n${stderr.toString()}`);
}

async function entries() {
  const shared = {
    bundle: true,
    format: "esm",
    target: ["node20", "es2022"],
    loader: { ".wasm": "binary" },
    legalComments: "none",
    logLevel: "warning",
  };
  await Promise.all([
    build({ ...shared, entryPoints: ["src/node.ts"], outfile: "dist/node.js", platform: "node" }),
    build({ ...shared, entryPoints: ["src/browser.ts"], outfile: "dist/browser.js", platform: "browser" }),
    build({
      ...shared,
      entryPoints: ["src/edge.ts"],
      outfile: "dist/edge.js",
      platform: "browser",
      external: ["./engine.wasm"],
    }),
    build({
      ...shared,
      entryPoints: ["src/cli/main.ts"],
      outfile: "dist/cli.js",
      platform: "node",
      banner: { js: "#!/usr/bin/env node" },
    }),
  ]);
}

function types() {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}

if (process.argv.includes("--engine")) {
  await engine();
} else if (process.argv.includes("--entries")) {
  await entries();
} else {
  rmSync("dist", { recursive: true, force: true });
  await engine();
  await entries();
  types();
}
