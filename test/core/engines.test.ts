import { afterEach, expect, it } from "vitest";
import { Engines, type EngineUse, GPU_FROM } from "../../src/core/engines.js";
import { type Gpu, gpuLost, gpuNone } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { fakeGpu } from "../fake-gpu.js";

const before = host();
afterEach(() => provideHost(before));

function provide(gpu: () => Promise<Gpu>) {
  provideHost({ ...before, gpu });
}

it("takes a GPU for enough work alone, and does not look for one before", async () => {
  let asked = 0;
  provide(async () => {
    asked++;
    return fakeGpu({});
  });
  const told: EngineUse[] = [];
  const engines = new Engines("auto", { ranges: 100 }, (use) => told.push(use));
  expect(await engines.gpuFor("ranges", 99)).toBeUndefined();
  expect(await engines.gpuFor("marginal", GPU_FROM.marginal - 1)).toBeUndefined();
  expect(await new Engines("wasm", { ranges: 0 }).gpuFor("ranges", 1e9)).toBeUndefined();
  expect(asked).toBe(0);
  expect(told).toEqual([]);
  expect((await engines.gpuFor("ranges", 100))?.name).toBe("a GPU");
  expect((await engines.gpuFor("ranges", 1e9))?.name).toBe("a GPU");
  expect((await new Engines("webgpu").gpuFor("ranges", 1))?.name).toBe("a GPU");
  expect(told).toEqual([{ kernel: "ranges", engine: "webgpu", why: "a GPU" }]);
  expect(engines.uses.map(({ kernel, engine }) => `${kernel} ${engine}`)).toEqual(["ranges webgpu", "marginal wasm"]);
});

it("leaves a program that imitates a GPU alone, unless it was asked for", async () => {
  provide(async () => fakeGpu({ name: "SwiftShader", isSoftware: true }));
  const engines = new Engines("auto", { marginal: 0 });
  expect(await engines.gpuFor("marginal", 1)).toBeUndefined();
  expect(engines.uses[0].why).toBe("SwiftShader is a software renderer, not a GPU.");
  expect(await new Engines("webgpu").gpuFor("marginal", 1)).toBeDefined();
});

it("refuses a run that asks for a GPU that is not there, but goes on without one that is gone", async () => {
  let isThere = true;
  provide(async () => {
    if (!isThere) throw gpuNone("It is gone.");
    return fakeGpu({});
  });
  const engines = new Engines("webgpu");
  await engines.check();
  isThere = false;
  expect(await engines.gpuFor("marginal", 1)).toBeUndefined();
  expect(engines.uses).toEqual([{ kernel: "marginal", engine: "wasm", why: "It is gone." }]);
  await expect(new Engines("webgpu").check()).rejects.toMatchObject({ code: "gpu/none" });
  await new Engines("auto").check();
});

it("says in one line why it goes on in WASM, and passes on what is no fault of a GPU", () => {
  const engines = new Engines();
  engines.finishOnWasm("fitness", gpuLost("it fell\noff the bus."));
  expect(engines.uses[0].why).toBe("The GPU has failed: it fell");
  expect(() => engines.finishOnWasm("fitness", new TypeError("a bug"))).toThrow(TypeError);
});
