import { afterEach, expect, it } from "vitest";
import { gpuNone } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { parseCsv } from "../../src/files/csv.js";
import { plan } from "../../src/frame/plan.js";
import { resample, synthesize } from "../../src/frame/resample.js";
import { Budget } from "../../src/privacy/budget.js";
import { parseSchema } from "../../src/schema/schema.js";
import { fakeGpu } from "../fake-gpu.js";

const before = host();
afterEach(() => provideHost(before));

const schema = parseSchema({ fields: ["a", "b", "c"].map((name) => ({ name, type: "boolean" })) });
const table = () => parseCsv("a,b,c\ntrue,false,true\nfalse,false,true\n", schema);
const budget = () => new Budget({ epsilon: 1, delta: 1e-9, neighbours: "add-remove", unit: "row" });

/** A GPU that is there when it is first asked for, and never again. */
function provideOnce() {
  let asked = 0;
  const gpu = async () => {
    if (asked++) throw gpuNone("It is gone.");
    return fakeGpu({});
  };
  provideHost({ ...before, gpu });
}

it.each([undefined, 2])("finishes a run whose GPU is gone, with what was paid for: %s rounds", async (rounds) => {
  provideOnce();
  const planned = plan(schema, { epsilon: 1, rounds });
  const release = await synthesize(table(), planned, { engine: "webgpu", budget: budget(), rows: 10 });
  expect(release.table.length).toBe(10);
  expect(release.outcome.engines.every(({ engine }) => engine === "wasm")).toBe(true);
});

it("refuses a run without the GPU that it asks for before the budget is charged", async () => {
  provideHost({ ...before, gpu: async () => Promise.reject(gpuNone("There is none.")) });
  const charged = budget();
  const asked = { engine: "webgpu", budget: charged } as const;
  await expect(synthesize(table(), plan(schema, { epsilon: 1 }), asked)).rejects.toMatchObject({ code: "gpu/none" });
  expect(JSON.parse(JSON.stringify(charged)).spent).toEqual(JSON.parse(JSON.stringify(budget())).spent);
  const release = await synthesize(table(), plan(schema, { epsilon: 1 }), { budget: charged });
  await expect(resample(release, { engine: "webgpu" })).rejects.toMatchObject({ code: "gpu/none" });
});

const REFUSED: readonly unknown[] = [
  ...[null, 5, [], new Map([["marginal", 0]])],
  ...[{ marginal: -1 }, { marginal: Number.NaN }, { loss: 1 }, { toString: 1 }],
];
it("refuses what is no object of numbers by kernels as gpuFrom", async () => {
  for (const gpuFrom of REFUSED) {
    const release = synthesize(table(), plan(schema, { epsilon: 1 }), { gpuFrom } as never);
    await expect(release).rejects.toMatchObject({ code: expect.stringMatching(/^options\//) });
  }
});

it("takes gpuFrom without figures", async () => {
  const options = { gpuFrom: { marginal: undefined }, rows: 3 };
  expect((await synthesize(table(), plan(schema, { epsilon: 1 }), options)).table.length).toBe(3);
});
