import fc from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "../../src/gradient/heap.js";
import { openWasmKernels } from "../../src/gradient/wasm-kernels.js";
import { instance } from "../engine.js";
import { randomFloats } from "../floats.js";
import { describeOn, gradientEngines } from "../gradient-engines.js";
import { refusesMisuse } from "../misused-kernels.js";

describeOn(gradientEngines, refusesMisuse);

it("arrays are zeroed, keep what is written, and can be cleared", async () => {
  const kernels = openWasmKernels();
  const numbers = randomFloats(7, 1);
  const used = kernels.floats(numbers);
  kernels.free(used);
  const array = kernels.floats(7);
  expect([...(await kernels.read(array))]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  kernels.write(array, numbers);
  expect(await kernels.read(array)).toEqual(numbers);
  kernels.clear(array);
  expect([...(await kernels.read(array))]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(() => kernels.write(array, new Float32Array(6))).toThrow("Expected 7 numbers in numbers, but found 6.");
  expect(await kernels.read(kernels.floats(0))).toEqual(new Float32Array(0));
});

it("arrays never overlap, and their memory is used again", () => {
  const steps = fc.array(fc.record({ frees: fc.boolean(), at: fc.nat(), bytes: fc.integer({ min: 0, max: 400 }) }), {
    minLength: 200,
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const engine = instance();
      const heap = new Heap(engine);
      const begin = engine.exports.mark();
      let held: { start: number; bytes: number }[] = [];
      for (const { frees, at, bytes } of all) {
        if (frees && held.length) {
          const [{ start, bytes: own }] = held.splice(at % held.length, 1);
          heap.give(start, own);
        } else {
          const start = heap.take(bytes);
          expect(start % 16).toBe(0);
          expect([...engine.u8(start, bytes)].every((byte) => byte === 0)).toBe(true);
          engine.u8(start, bytes).fill(255);
          for (const other of held)
            expect(start >= other.start + other.bytes || other.start >= start + bytes).toBe(true);
          held.push({ start, bytes });
        }
      }
      for (const { start, bytes } of held) heap.give(start, bytes);
      held = [];
      expect(engine.exports.mark() - begin).toBeLessThan(16);
    }),
    { seed: 193, numRuns: 50 },
  );
});

it("loops need no more memory than a turn", () => {
  const kernels = openWasmKernels();
  const heap = new Heap(instance());
  const places: number[] = [];
  for (let turn = 0; turn < 5000; turn++) {
    const [large, small] = [4000 + (turn % 13), 40 * (turn % 7)];
    const [first, second] = [heap.take(large), heap.take(small)];
    heap.give(first, large);
    heap.give(second, small);
    places.push(first, second);
  }
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(5000);
  // Together, these would take more than an engine can address.
  for (let turn = 0; turn < 70; turn++) kernels.free(kernels.floats(2 ** 24));
});
