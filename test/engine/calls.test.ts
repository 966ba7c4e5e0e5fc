import { expect, it } from "vitest";
import { engineTypes } from "../../core/build.mjs";
import { Calls, LISTED, WIDE } from "../../src/engine/calls.js";
import * as layout from "../../src/engine/layout.js";
import { instance } from "../engine.js";

const engine = instance();

it("lists every function that the engine can call from a list, by its number", () => {
  const numbers = Object.entries(layout).filter(([name]) => name.startsWith("CALL_"));
  const named = Object.entries(LISTED).map(([name, number]) => [
    `CALL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    number,
  ]);
  expect(new Map(named as [string, number][])).toEqual(new Map(numbers));
});

it("knows which of them take integers of 64 bits", () => {
  const types = engineTypes();
  for (const name of Object.keys(LISTED)) expect(WIDE.has(name), name).toBe(types[name].slice(1).includes("j"));
});

it("makes calls in order, with arguments of all types, and says what each returned", () => {
  const counts = engine.place(Int32Array.of(3, 4, 5));
  const sum = engine.place(Float64Array.of(1));
  const calls = new Calls(engine);
  expect(calls.add("sumCounts", counts, 3)).toBe(0);
  calls.add("copy", counts + 4, counts, 4);
  expect(calls.add("sumCounts", counts, 3)).toBe(2);
  calls.add("addSquares", counts, counts, 3, 0.5, sum);
  calls.add("cubeRoot", 27);
  expect([...calls.results()]).toEqual([12, 0, 13, 0, 3]);
  expect(engine.f64(sum, 1)[0]).toBe(1 + 4 + 4 + 6.25);
  expect(calls.results()).toHaveLength(0);
});

it("ends with the first call that is refused", () => {
  const out = engine.alloc(3 * layout.SIGMA2_BYTES);
  const calls = new Calls(engine);
  for (const [at, units] of [1n << 40n, 0n, 1n << 40n].entries())
    calls.add("calibrate", units, 1n, out + layout.SIGMA2_BYTES * at);
  expect(calls.run()).toBe(layout.NOISE_TOO_LARGE);
  const charges = engine.i64(out, 6).filter((_, at) => at % 2 === 1);
  expect(charges[0]).toBeGreaterThan(0n);
  expect([...charges.subarray(1)]).toEqual([0n, 0n]);
  expect(calls.run()).toBe(layout.OK);
});

it("frees the memory of a list", () => {
  const before = engine.exports.mark();
  const calls = new Calls(engine);
  for (let call = 0; call < 1000; call++) calls.add("exponential", -call);
  calls.results();
  expect(engine.exports.mark() - before).toBeLessThan(16);
});
