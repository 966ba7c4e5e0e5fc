// Builds dist/: the engine (AssemblyScript → WASM), the entries (esbuild) and the types (tsc).
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { cutDeclarations } from "./declarations.mjs";
import { entries } from "./entries.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

/** Makes the engine, and its twin for hosts without SIMD. */
async function engine() {
  mkdirSync("dist", { recursive: true });
  for (const target of ["simd", "scalar"]) {
    const { error, stderr } = await asc.main(["--config", "asconfig.json", "--target", target]);
    if (error) throw new Error(`assembly/ does not compile: ${error.message}\n${stderr.toString()}`);
  }
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
