import bytes from "../dist/engine.wasm";
import { provideHost } from "../src/core/host.js";
import { wasmHost } from "../src/engine/wasm-host.js";

provideHost(wasmHost(() => new WebAssembly.Module(bytes)));

/** One figure of a bench; `target` is the value to reach. */
export interface Figure {
  metric: string;
  value: number;
  target?: number;
  better?: "lower" | "higher";
}
export type Report = (figure: Figure) => void;

export interface Setting {
  /** The folder of real tables (`STANDIN_DATA`), if there is one. */
  data: string | undefined;
  /** The built command line. */
  cli: string;
  /** The folder in which benches store their figures. */
  folder: string;
  /** Whether output as JSON lines was requested. */
  json: boolean;
}

/** The best time of `runs` runs after one warm-up, in seconds. */
export async function best(runs: number, job: () => unknown): Promise<number> {
  await job();
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await job();
    least = Math.min(least, performance.now() - start);
  }
  return least / 1000;
}
