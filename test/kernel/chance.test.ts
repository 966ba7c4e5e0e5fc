import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { chanceTargets } from "../reference/chance.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

it("rounds expected counts to targets, and adds up how far chance takes counts from them", () => {
  const count = fc.oneof(
    fc.double({ min: -5, max: 5, noNaN: true }),
    fc.double({ min: 0, max: 2 ** 34, noNaN: true }),
    fc.constantFrom(0.49999999999999994, 0.5, 1.5, 2 ** 30 - 0.5, 2 ** 30 + 1),
  );
  fc.assert(
    fc.property(fc.array(count), (expected) => {
      exports.rewind(bottom);
      const targets = engine.alloc(4 * expected.length);
      const placed = engine.place(Float64Array.from(expected));
      const distance = exports.chanceTargets(placed, expected.length, 2 ** 30, targets);
      const oracle = chanceTargets(expected, 2 ** 30);
      expect([...engine.i32(targets, expected.length)]).toEqual(oracle.targets);
      expect(distance / (oracle.distance || 1)).toBeCloseTo(oracle.distance ? 1 : 0, 12);
    }),
  );
});
