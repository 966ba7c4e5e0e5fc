// Each kernel of assembly/ alone: nanoseconds per element in the engine and in its twin without SIMD, and the ratio of
// the first to the plain JavaScript of its oracle. Inputs are generated; bench/kernels/ has a file for each kernel.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import scalarBytes from "../dist/engine.scalar.wasm";
import simdBytes from "../dist/engine.wasm";
import { type Host, provideHost } from "../src/core/host.js";
import { wasmHost } from "../src/engine/wasm-host.js";
import { Engine } from "../test/engine.js";
import { best, type Report, type Setting } from "./bench.js";
import type { Kernel } from "./kernels/kernel.js";

const RUNS = 10;
/** How long a run is repeated, in milliseconds, before it is timed: until the optimising compiler has had its turn. */
const WARM_UP = 150;

export default async function kernels(report: Report, { folder, json }: Setting): Promise<void> {
  const [simd, scalar] = [simdBytes, scalarBytes].map((bytes) => wasmHost(() => new WebAssembly.Module(bytes)));
  const names = readdirSync(join(folder, "kernels")).map((file) => file.replace(/\.ts$/, ""));
  for (const name of names.filter((file) => file !== "kernel")) {
    const { default: kernel }: { default: Kernel } = await import(`./kernels/${name}.ts`);
    const timed = (host: Host) => {
      provideHost(host);
      return nanoseconds(kernel.open(new Engine()), kernel.elements);
    };
    const withLanes = await timed(simd);
    const withoutLanes = await timed(scalar);
    const script = await nanoseconds(kernel.oracle.run, kernel.oracle.elements);
    if (!json) console.log(`${name}: per ${kernel.element}`);
    report({ metric: `${name}_ns`, value: withLanes });
    report({ metric: `${name}_scalar_ns`, value: withoutLanes });
    report({ metric: `${name}_over_js`, value: withLanes / script });
  }
}

/** The least time per element that a run took, once it was compiled. */
async function nanoseconds(run: () => unknown, elements: number): Promise<number> {
  for (const start = performance.now(); performance.now() - start < WARM_UP; ) run();
  return ((await best(RUNS, run)) / elements) * 1e9;
}
