// Runs before the tests (npm test): builds the core that other languages run, once for all tests. Where it cannot be
// built, the tests that need it are skipped, and say so.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { hasTools } from "../../core/build.mjs";

if (hasTools()) process.exitCode = spawnSync(process.execPath, ["core/build.mjs"], { stdio: "inherit" }).status;
else {
  for (const file of ["dist/standin-core.wasm", "dist/standin-core.jvm.wasm"]) rmSync(file, { force: true });
  console.log(
    "The core cannot be built: Python is missing, or pip reaches no registry. Tests that need it are skipped.",
  );
}
