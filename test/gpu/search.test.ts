import { describe, expect, it } from "vitest";
import { Engines, type GpuKernel } from "../../src/core/engines.js";
import type { Gpu, OpenGpu } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { finished } from "../../src/core/progress.js";
import { Device } from "../../src/gpu/device.js";
import { WebGpu } from "../../src/gpu/webgpu.js";
import { measure, parseCsv, parseSchema, plan, resample, type SyntheticRelease } from "../../src/node.js";
import { type SearchInput, searchRows } from "../../src/projection/genetic.js";
import { fakeGpu } from "../fake-gpu.js";
import { dawn, gpuEngines, noDawn, openDawn } from "../gpu-engines.js";
import { ATTRIBUTES, genetic, inputOf, PAIRS } from "../search-input.js";

/** What a search in batches is, and a genetic one. */
const INPUTS: readonly (readonly [kernel: GpuKernel, input: SearchInput])[] = [
  ["neighbourhood", inputOf(ATTRIBUTES, PAIRS, 1100, 3)],
  ["fitness", genetic(inputOf(ATTRIBUTES, PAIRS, 60, 3), 30)],
];

/** What is found. In batches, a GPU scores other candidates than the engine. */
async function found(input: SearchInput, engines?: Engines) {
  const { candidates: _, ...rest } = await finished(searchRows({ ...input, engines }), {});
  return rest;
}

const withGpu = (gpu: OpenGpu) => provideHost({ ...host(), gpu });

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it.for(INPUTS)("finds the rows that the engine finds: %s", async ([kernel, input], { skip }) => {
    if (missing) skip(missing);
    const remote = await open();
    const openSearch: Gpu["openSearch"] = async ({ map, residuals, codes }) => {
      const search = await remote.openSearch(map, residuals, codes);
      const { findMoves, score, change } = search;
      return { findMoves, score, change, close: () => void search.close() };
    };
    withGpu(async () => fakeGpu({ openSearch }));
    const engines = new Engines("webgpu");
    expect(await found(input, engines)).toEqual(await found(input));
    expect(engines.uses).toMatchObject([{ kernel, engine: "webgpu" }]);
  });
});

it.for(INPUTS)("finds them too if the GPU is lost at any step: %s", async ([kernel, input], { skip }) => {
  if (noDawn) skip(noDawn);
  const alone = await found(input);
  for (const end of [0, 1, 3]) {
    const adapter = await (await dawn()).requestAdapter();
    const gpu = new WebGpu(await Device.open(adapter!), adapter!.info);
    let steps = 0;
    const lost = <T>(answer: T): T => {
      if (steps++ === end) gpu.device.close();
      return answer;
    };
    const openSearch: Gpu["openSearch"] = async (tables) => {
      const search = await gpu.openSearch(tables);
      return {
        findMoves: (rows) => lost(search.findMoves(rows)),
        score: (candidates) => lost(search.score(candidates)),
        change: (rows, codes) => search.change(rows, codes),
        close: () => search.close(),
      };
    };
    withGpu(async () => fakeGpu({ openSearch }));
    const engines = new Engines("webgpu");
    expect(await found(input, engines)).toEqual(alone);
    expect(steps).toBe(end + 1);
    expect(engines.uses).toMatchObject([{ kernel, engine: "wasm" }]);
  }
});

it.for([
  ["neighbourhood", { method: "batches" }],
  ["fitness", { method: "paper", generations: 100 }],
] as const)("makes the rows of a whole release, to the byte: %s", async ([used, search], { skip }) => {
  if (noDawn) skip(noDawn);
  withGpu(openDawn);
  const names = ["a", "b", "c", "d"];
  const schema = parseSchema({
    fields: names.map((name, at) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 3 + 20 * at } })),
  });
  const lines = Array.from({ length: 1100 }, (_, row) => names.map((_, at) => (row * (at + 3)) % (3 + 20 * at)).join());
  const table = parseCsv([names.join(), ...lines, ""].join("\n"), schema);
  const release = await measure(table, plan(schema, { epsilon: 5, search }), { seed: 4 });
  const engineOf = ({ outcome }: SyntheticRelease) => outcome.engines.find(({ kernel }) => kernel === used)?.engine;
  const alone = await resample(release, { engine: "wasm" });
  const together = await resample(release, { engine: "webgpu" });
  expect([...together.table.rows()]).toEqual([...alone.table.rows()]);
  expect(engineOf(together)).toBe("webgpu");
  expect(engineOf(alone)).toBe("wasm");
});
