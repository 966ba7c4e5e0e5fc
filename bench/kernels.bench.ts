// Each kernel of assembly/ alone: nanoseconds per element in the engine and in its twin without SIMD, and the ratio of
// the first to the plain JavaScript of its oracle. Where there is a GPU, also on that, transfers included, and from how
// many elements on it is faster (GPU_FROM in src/core/engines.ts). Inputs are generated; bench/kernels/ has a file for
// each kernel.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import scalarBytes from "../dist/engine.scalar.wasm";
import simdBytes from "../dist/engine.wasm";
import { type Host, provideHost } from "../src/core/host.js";
import { wasmHost } from "../src/engine/wasm-host.js";
import type { Device } from "../src/gpu/device.js";
import { openGpu } from "../src/gpu/node.js";
import type { WebGpu } from "../src/gpu/webgpu.js";
import { Engine } from "../test/engine.js";
import { best, type Report, type Setting } from "./bench.js";
import type { Kernel } from "./kernels/kernel.js";

const RUNS = 10;
/** How long a run is repeated, in milliseconds, before it is timed: until the optimising compiler has had its turn. */
const WARM_UP = 150;

/** Files next to those of the kernels. */
const SHARED = ["kernel", "densities"];

export default async function kernels(report: Report, { folder, json }: Setting): Promise<void> {
  const [simd, scalar] = [simdBytes, scalarBytes].map((bytes) => wasmHost(() => new WebAssembly.Module(bytes)));
  const card = await openCard(json);
  const names = readdirSync(join(folder, "kernels")).map((file) => file.replace(/\.ts$/, ""));
  for (const name of names.filter((file) => !SHARED.includes(file))) {
    const { default: kernel }: { default: Kernel } = await import(`./kernels/${name}.ts`);
    const timed = (host: Host) => {
      provideHost(host);
      return nanoseconds(kernel.open(new Engine()), kernel.elements);
    };
    const withLanes = await timed(simd);
    const withoutLanes = await timed(scalar);
    const script = await nanoseconds(kernel.oracle.run, kernel.oracle.elements);
    if (!json) console.log(`${name}: per ${kernel.element}`);
    report({ metric: `${name}_ns`, value: withLanes, target: kernel.most });
    report({ metric: `${name}_scalar_ns`, value: withoutLanes });
    report({ metric: `${name}_over_js`, value: withLanes / script });
    const { onGpu } = kernel;
    if (!card || !onGpu) continue;
    const onCard = await nanoseconds(await onGpu.open(card.device), onGpu.elements ?? kernel.elements);
    report({ metric: `${name}_gpu_ns`, value: onCard });
    report({ metric: `${name}_gpu_times_faster`, value: withLanes / onCard, target: onGpu.least, better: "higher" });
    const start = (1e9 * card.start) / (onGpu.times ?? 1);
    if (onCard < withLanes) report({ metric: `${name}_gpu_from`, value: start / (withLanes - onCard) });
  }
}

/** The GPU, unless it is a program, and the seconds that it takes to be opened. */
async function openCard(json: boolean): Promise<{ device: Device; start: number } | undefined> {
  const say = (text: string) => json || console.log(text);
  try {
    const start = performance.now();
    const { device, name, isSoftware } = (await openGpu()) as WebGpu;
    say(isSoftware ? `No GPU is timed: ${name} is a program.` : `GPU: ${name}`);
    return isSoftware ? undefined : { device, start: (performance.now() - start) / 1000 };
  } catch (error) {
    say(`No GPU is timed: ${(error as Error).message}`);
    return undefined;
  }
}

/** The least time per element that a run took, once it was compiled. */
async function nanoseconds(run: () => unknown, elements: number): Promise<number> {
  for (const start = performance.now(); performance.now() - start < WARM_UP; ) await run();
  return ((await best(RUNS, run)) / elements) * 1e9;
}
