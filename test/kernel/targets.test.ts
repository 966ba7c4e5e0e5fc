import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { squaredShares, targetUnits } from "../reference/targets.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const totals = fc.oneof(fc.nat(10), fc.double({ min: 0, max: 1e7, noNaN: true }));
const lowest = fc.constantFrom(-1, 0);
const lists = fc.array(fc.oneof(fc.double({ min: -1e4, max: 1e4, noNaN: true }), fc.integer({ min: -20, max: 20 })));

it("turns answers into units of a row of the searched table, cutting off noise beyond the whole table", () => {
  fc.assert(
    fc.property(
      lists,
      totals,
      lowest,
      fc.integer({ min: 1, max: 1 << 20 }),
      fc.nat(8),
      (answers, total, least, rows, shift) => {
        exports.rewind(bottom);
        const targets = engine.alloc(4 * answers.length);
        const placed = engine.place(Float64Array.from(answers));
        const expected = targetUnits(answers, total, least, rows, shift);
        for (const into of [targets, placed]) {
          exports.targetUnits(placed, answers.length, total, least, rows, shift, into);
          expect([...engine.i32(into, answers.length)]).toEqual(expected);
        }
      },
    ),
  );
});

it("adds up the squares of answers as fractions of the rows", () => {
  fc.assert(
    fc.property(lists, totals, lowest, fc.nat(100), (answers, total, least, before) => {
      exports.rewind(bottom);
      const into = engine.place(Float64Array.of(before));
      exports.addShares(engine.place(Float64Array.from(answers)), answers.length, total, least, into);
      const [sum] = engine.f64(into, 1);
      expect(sum).toBeCloseTo(before + squaredShares(answers, total, least), 8);
    }),
  );
});
