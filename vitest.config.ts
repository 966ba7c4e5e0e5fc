import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Imports of `.wasm` files give their bytes and those of `.txt` files their text, as esbuild's loaders do in the build. */
const carried = {
  name: "carried",
  enforce: "pre" as const,
  load(id: string) {
    if (id.endsWith(".txt")) return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
    if (!id.endsWith(".wasm")) return null;
    const base64 = readFileSync(id).toString("base64");
    return `export default Uint8Array.from(Buffer.from("${base64}", "base64"));`;
  },
};

/** Tests of the package as it is packed and installed, which takes a moment to make. */
const PACKED = ["test/package/*.test.ts", "test/runtimes/*.test.ts"];

export default defineConfig({
  plugins: [carried],
  test: {
    globalSetup: "test/build.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    reporters: ["default", "./test/summary.ts"],
    projects: [
      { extends: true, test: { name: "sources", include: ["test/**/*.test.ts"], exclude: PACKED } },
      { extends: true, test: { name: "packed", include: PACKED, globalSetup: "test/runtimes/install.ts" } },
    ],
  },
});
