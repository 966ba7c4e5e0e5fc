// What kernels of gradient models do on a GPU only. Their numbers are tested in test/kernel/.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Memory } from "../../src/gpu/device.js";
import { openGpuKernels } from "../../src/gpu/kernels.js";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import { gpuEngines, noDawn, openDawn } from "../gpu-engines.js";
import { describeOn, gradientEngines } from "../gradient-engines.js";
import { refusesMisuse } from "../misused-kernels.js";

const ADAM = { step: 1, rate: 0.1, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
const LOST = { code: "gpu/lost", message: expect.stringMatching(/^The GPU has failed: ./) };

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("a GPU that is lost is reported by whatever is read, and leaves other calls without effect", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    const kernels = await gpu.kernels();
    const array = await kernels.floats(Float32Array.of(1, 2, 3));
    const [first, second] = [await kernels.floats(3), await kernels.floats(3)];
    const slope = await kernels.floats(3);
    await kernels.adam(array, slope, first, second, ADAM);
    await expect(gpu.readAndLose(kernels, array)).rejects.toMatchObject(LOST);
    await kernels.adam(array, slope, first, second, ADAM);
    await kernels.write(array, new Float32Array(3));
    await kernels.clear(slope);
    await kernels.free(await kernels.floats(5));
    await expect(kernels.read(array)).rejects.toMatchObject(LOST);
    await kernels.free(array);
    await kernels.close();
    const others = await gpu.kernels();
    expect(await others.read(await others.floats(Float32Array.of(4, 5)))).toEqual(Float32Array.of(4, 5));
  });

  it("refuses arrays that are too large for the GPU", async ({ skip }) => {
    if (missing) skip(missing);
    const kernels = await (await open()).kernels();
    await expect(kernels.floats(2 ** 31)).rejects.toMatchObject({ code: "gpu/memory" });
  });
});

describeOn(gradientEngines, refusesMisuse);

describe("memory", () => {
  /** Kernels, and what they have reserved. */
  async function opened() {
    const { device } = (await openDawn()) as WebGpu;
    const reserve = vi.spyOn(device, "reserve");
    onTestFinished(() => reserve.mockRestore());
    const reserved = (): Memory[] => reserve.mock.results.map(({ value }) => value);
    return { kernels: await openGpuKernels(device), reserved };
  }

  it("is destroyed when it is freed, but not before calls that need it", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { kernels, reserved } = await opened();
    const out = kernels.floats(1);
    const [a, b] = [kernels.floats(Float32Array.of(2)), kernels.floats(Float32Array.of(3))];
    const destroyed = reserved().map((memory) => vi.spyOn(memory, "destroy"));
    kernels.matrixProduct(a, b, out, { rows: 1, inner: 1, columns: 1 });
    kernels.free(a);
    kernels.free(b);
    expect(destroyed.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    expect(await kernels.read(out)).toEqual(Float32Array.of(6));
    expect(destroyed.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1]);
    kernels.free(out);
    expect(destroyed.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    expect(() => kernels.free(out)).toThrow(expect.objectContaining({ code: "gradient/array" }));
  });

  it("is destroyed when kernels are closed, with what they kept for themselves", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { kernels, reserved } = await opened();
    for (const inner of [600, 1200]) {
      const [a, b, out] = [inner, inner, 1].map((length) => kernels.floats(new Float32Array(length).fill(1)));
      kernels.matrixProduct(a, b, out, { rows: 1, inner, columns: 1 });
      expect(await kernels.read(out)).toEqual(Float32Array.of(inner));
    }
    expect(reserved().length).toBe(8);
    const destroyed = reserved().map((memory) => vi.spyOn(memory, "destroy"));
    kernels.close();
    // All but the first room for parts of sums, which a larger one has replaced.
    expect(destroyed.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 0, 1, 1, 1, 1]);
  });
});
