import { describe, expect, it } from "vitest";
import { gpuEngines } from "../gpu-engines.js";

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("runs a kernel", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    expect(await gpu.name()).toMatch(/swiftshader/i);
    const numbers = Float32Array.from({ length: 1000 }, (_, at) => at);
    expect(await gpu.scaled(numbers, 3)).toEqual(numbers.map((number) => 3 * number));
  });
});
