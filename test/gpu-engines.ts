// The GPUs that tests run on: Dawn in this process, and a page of headless Chromium, both with Chromium's SwiftShader,
// which is a program. Other projects of vitest have none.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll } from "vitest";
import { carriedCode } from "../gpu/carried.mjs";
import { webGpu } from "../src/gpu/webgpu.js";
import { type TestGpu, testGpu } from "./gpu/test-gpu.js";
import { type Remote, remoteRoot } from "./remote.js";
import { CHROMIUM, noChromium } from "./runtimes/chromium.js";

export interface GpuEngine {
  readonly name: string;
  /** Why it cannot be used here, if it cannot. */
  readonly missing: string | false;
  open(): Promise<Remote<TestGpu>>;
}

/** Lets kernels set their workgroup memory to 0 themselves: where the driver does, SwiftShader compiles for seconds. */
const FEATURES = "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension";
let gpu: GPU | undefined;

/** Dawn's entry point. Kept for the life of the process: Dawn ends the process if it is collected too early. */
export async function dawn(): Promise<GPU> {
  const { create } = await import("webgpu");
  gpu ??= create([FEATURES]);
  return gpu;
}

/** A GPU of this process. */
export const openDawn = webGpu(dawn);

async function whyNoDawn(): Promise<string | false> {
  try {
    await openDawn();
    return false;
  } catch (error) {
    return `Dawn has no GPU here: ${(error as Error).message}`;
  }
}

/** Why Dawn cannot be used here, if it cannot. */
export const noDawn = process.env.STANDIN_TEST_GPU ? await whyNoDawn() : "Dawn runs in the project gpu alone";

let running: Promise<Browser> | undefined;
let page: Promise<Remote<TestGpu>> | undefined;

async function openPage(): Promise<Remote<TestGpu>> {
  const args = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--disable-quic", "--no-first-run"];
  running = chromium.launch({
    executablePath: CHROMIUM,
    args: [...args, "--disable-component-update", `--${FEATURES}`],
  });
  const opened = await (await running).newPage();
  const folder = mkdtempSync(join(tmpdir(), "standin-gpu-"));
  try {
    const path = join(folder, "page.html");
    const { outputFiles } = await build({
      entryPoints: ["test/gpu/page.ts"],
      bundle: true,
      format: "iife",
      target: "es2022",
      plugins: [carriedCode],
      ignoreAnnotations: true,
      write: false,
    });
    writeFileSync(path, `<!doctype html><script>${outputFiles[0].text}</script>`);
    await opened.goto(pathToFileURL(path).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return remoteRoot<TestGpu>(opened);
}

/** All of them, in the project "gpu". */
export const gpuEngines: readonly GpuEngine[] = process.env.STANDIN_TEST_GPU
  ? [
      { name: "Dawn", missing: noDawn, open: async () => testGpu(openDawn) },
      {
        name: "Chromium",
        missing: noChromium || (!existsSync("/usr/lib/chromium/libvk_swiftshader.so") && "it has no SwiftShader"),
        open: () => {
          page ??= openPage();
          return page;
        },
      },
    ]
  : [];

afterAll(async () => (await running)?.close());
