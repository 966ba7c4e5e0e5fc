import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Imports of `.wasm` files give their bytes, as esbuild's `binary` loader does in the build. */
const wasmBytes = {
  name: "wasm-bytes",
  enforce: "pre" as const,
  load(id: string) {
    if (!id.endsWith(".wasm")) return null;
    const base64 = readFileSync(id).toString("base64");
    return `export default Uint8Array.from(Buffer.from("${base64}", "base64"));`;
  },
};

export default defineConfig({
  plugins: [wasmBytes],
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/build.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    reporters: ["default", "./test/summary.ts"],
  },
});
