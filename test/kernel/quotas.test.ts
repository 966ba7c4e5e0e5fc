import fc from "fast-check";
import { expect, it } from "vitest";
import { STREAM_QUOTA } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { quotaCodes } from "../reference/quotas.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

it("gives each group of rows codes in proportion to their weights", () => {
  const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true }));
  const cases = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc.record({
      weights: fc.array(fc.array(weight, { minLength: size, maxLength: size }), {
        minLength: 1,
        maxLength: 40,
        size: "max",
      }),
      marks: fc.array(fc.nat(1000), { minLength: 1, maxLength: 300, size: "max" }),
      isAlone: fc.boolean(),
      seed: u32,
      column: u32,
    }),
  );
  fc.assert(
    fc.property(cases, ({ weights, marks, isAlone, seed, column }) => {
      exports.rewind(bottom);
      const used = isAlone ? weights.slice(0, 1) : weights;
      const given = marks.map((mark) => mark % used.length);
      const held = used.map((_, group) => given.filter((code) => code === group).length);
      const [codes, starts] = [engine.alloc(2 * marks.length), engine.alloc(4 * used.length)];
      const placed = engine.place(Float64Array.from(used.flat()));
      const other = isAlone ? 0 : engine.place(Uint32Array.from(given));
      const counts = [used.length, used[0].length] as const;
      exports.quotaCodes(placed, ...counts, other, marks.length, seed, column, codes, starts);
      const expected = quotaCodes(used, held, seed, STREAM_QUOTA, column);
      expect([...engine.u16(codes, marks.length)]).toEqual(expected.flat());
      expect([...engine.u32(starts, used.length)]).toEqual(held.map((_, at) => expected.slice(0, at).flat().length));
    }),
    { seed: 3 },
  );
});
