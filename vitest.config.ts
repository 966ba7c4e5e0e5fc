import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";
import { carriedWgsl } from "./gpu/carried.mjs";

/**
 * Imports of the engine give its bytes, those of other files their text, as esbuild's loaders do in the build; or the
 * bytes of the engine's twin for hosts without SIMD.
 */
const carried = (engine = "engine.wasm") => ({
  name: "carried",
  enforce: "pre" as const,
  load(id: string) {
    if (id.endsWith(".wgsl")) return `export default ${JSON.stringify(carriedWgsl(id))};`;
    if (!id.endsWith("engine.wasm")) return null;
    const base64 = readFileSync(join(dirname(id), engine)).toString("base64");
    return `export default Uint8Array.from(Buffer.from("${base64}", "base64"));`;
  },
});

/** Tests that hold every kernel against its oracle, and whole releases against their bytes. */
const ENGINE = ["test/kernel/*.test.ts", "test/vectors/*.test.ts", "test/abi.test.ts"];

/** Tests of what a GPU does, and those of kernels that have a twin in gpu/. */
const GPU = ["test/gpu/*.test.ts"];
const twins = readdirSync("gpu").map((file) => `test/kernel/${file.replace(".wgsl", ".test.ts")}`);

/** Where Dawn finds Chromium's SwiftShader, a GPU that is a program. The process must start with these. */
const SWIFTSHADER = {
  STANDIN_TEST_GPU: "1",
  LD_LIBRARY_PATH: ["/usr/lib/chromium", process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
  VK_ICD_FILENAMES: "/usr/lib/chromium/vk_swiftshader_icd.json",
  XDG_RUNTIME_DIR: "/tmp",
};

/** Tests of the package as it is packed and installed, which takes a moment to make. */
const PACKED = ["test/package/*.test.ts", "test/runtimes/*.test.ts"];

/** Gives tests the host that the package's entries would provide. */
const SETUP = ["test/engine.ts"];

export default defineConfig({
  test: {
    globalSetup: "test/build.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    reporters: ["default", "./test/summary.ts"],
    projects: [
      {
        extends: true,
        plugins: [carried()],
        test: { name: "sources", include: ["test/**/*.test.ts"], exclude: [...PACKED, ...GPU], setupFiles: SETUP },
      },
      {
        extends: true,
        plugins: [carried("engine.scalar.wasm")],
        test: { name: "scalar", include: ENGINE, setupFiles: SETUP },
      },
      {
        extends: true,
        plugins: [carried()],
        test: { name: "gpu", include: [...GPU, ...twins], setupFiles: SETUP, env: SWIFTSHADER },
      },
      {
        extends: true,
        plugins: [carried()],
        test: { name: "packed", include: PACKED, globalSetup: "test/runtimes/install.ts" },
      },
    ],
  },
});
