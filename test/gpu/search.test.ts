import { describe, expect, it } from "vitest";
import { Engines } from "../../src/core/engines.js";
import type { Gpu, OpenGpu } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { finished } from "../../src/core/progress.js";
import { Device } from "../../src/gpu/device.js";
import { WebGpu } from "../../src/gpu/webgpu.js";
import { measure, parseCsv, parseSchema, plan, resample, type SyntheticRelease } from "../../src/node.js";
import { searchRows } from "../../src/projection/genetic.js";
import { fakeGpu } from "../fake-gpu.js";
import { dawn, gpuEngines, noDawn, openDawn } from "../gpu-engines.js";
import { ATTRIBUTES, inputOf, PAIRS } from "../search-input.js";

const found = (engines: Engines | undefined, rows = 1100) =>
  finished(searchRows({ ...inputOf(ATTRIBUTES, PAIRS, rows, 3), engines }), {});

const withGpu = (gpu: OpenGpu) => provideHost({ ...host(), gpu });

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("finds the rows that the engine finds", async ({ skip }) => {
    if (missing) skip(missing);
    const remote = await open();
    const openSearch: Gpu["openSearch"] = async ({ map, residuals, codes }) => {
      const search = await remote.openSearch(map, residuals, codes);
      return { findMoves: search.findMoves, change: search.change, close: () => void search.close() };
    };
    withGpu(async () => fakeGpu({ openSearch }));
    const engines = new Engines("webgpu");
    const { candidates: _, ...together } = await found(engines);
    const { candidates: __, ...alone } = await found(undefined);
    expect(together).toEqual(alone);
    expect(engines.uses).toMatchObject([{ engine: "webgpu" }]);
  });
});

it("finds them too if the GPU is lost at any batch", async ({ skip }) => {
  if (noDawn) skip(noDawn);
  const { candidates: _, ...alone } = await found(undefined);
  for (const end of [0, 1, 3]) {
    const adapter = await (await dawn()).requestAdapter();
    const gpu = new WebGpu(await Device.open(adapter!), adapter!.info);
    let batches = 0;
    const openSearch: Gpu["openSearch"] = async (tables) => {
      const search = await gpu.openSearch(tables);
      return {
        findMoves(rows) {
          const moves = search.findMoves(rows);
          if (batches++ === end) gpu.device.close();
          return moves;
        },
        change: (rows, codes) => search.change(rows, codes),
        close: () => search.close(),
      };
    };
    withGpu(async () => fakeGpu({ openSearch }));
    const engines = new Engines("webgpu");
    const { candidates: __, ...together } = await found(engines);
    expect(together).toEqual(alone);
    expect(batches).toBe(end + 1);
    expect(engines.uses).toMatchObject([{ engine: "wasm" }]);
  }
});

it("makes the rows of a whole release, to the byte", async ({ skip }) => {
  if (noDawn) skip(noDawn);
  withGpu(openDawn);
  const names = ["a", "b", "c", "d"];
  const schema = parseSchema({
    fields: names.map((name, at) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 3 + 20 * at } })),
  });
  const lines = Array.from({ length: 1100 }, (_, row) => names.map((_, at) => (row * (at + 3)) % (3 + 20 * at)).join());
  const table = parseCsv([names.join(), ...lines, ""].join("\n"), schema);
  const release = await measure(table, plan(schema, { epsilon: 5, search: { method: "batches" } }), { seed: 4 });
  const engineOf = ({ outcome }: SyntheticRelease) =>
    outcome.engines.find(({ kernel }) => kernel === "neighbourhood")?.engine;
  const alone = await resample(release, { engine: "wasm" });
  const together = await resample(release, { engine: "webgpu" });
  expect([...together.table.rows()]).toEqual([...alone.table.rows()]);
  expect(engineOf(together)).toBe("webgpu");
  expect(engineOf(alone)).toBe("wasm");
});
