import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { scaledCounts, squaredShares, targetUnits } from "../reference/targets.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const totals = fc.oneof(fc.nat(10), fc.double({ min: 0, max: 1e7, noNaN: true }));
const lists = fc.array(fc.oneof(fc.double({ min: -1e4, max: 1e4, noNaN: true }), fc.integer({ min: -20, max: 20 })));

it("turns answers into units of a row of the searched table, cutting off noise beyond the whole table", () => {
  fc.assert(
    fc.property(lists, totals, fc.integer({ min: 1, max: 1 << 20 }), fc.nat(8), (answers, total, rows, shift) => {
      exports.rewind(bottom);
      const targets = engine.alloc(4 * answers.length);
      const placed = engine.place(Float64Array.from(answers));
      exports.targetUnits(placed, answers.length, total, rows, shift, targets);
      expect([...engine.i32(targets, answers.length)]).toEqual(targetUnits(answers, total, rows, shift));
    }),
  );
});

it("adds up the squares of answers as fractions of the rows", () => {
  fc.assert(
    fc.property(lists, totals, fc.nat(100), (answers, total, before) => {
      exports.rewind(bottom);
      const sum = exports.addShares(engine.place(Float64Array.from(answers)), answers.length, total, before);
      expect(sum).toBeCloseTo(before + squaredShares(answers, total), 8);
    }),
  );
});

it("scales counts to a table of another size, to at most 2^30", () => {
  const scales = fc.oneof(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), fc.constantFrom(0.5, 1, 1.5));
  fc.assert(
    fc.property(fc.array(fc.nat(5000)), scales, (counts, scale) => {
      exports.rewind(bottom);
      const placed = engine.place(Int32Array.from(counts));
      exports.scaleCounts(placed, counts.length, scale);
      expect([...engine.i32(placed, counts.length)]).toEqual(scaledCounts(counts, scale));
    }),
  );
});
