import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { placeDivision } from "../place-division.js";
import { type Claim, type Facts, predictedError } from "../reference/division.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const positive = (most: number) => fc.double({ min: 1e-3, max: most, noNaN: true });
const counts = fc.array(fc.oneof(fc.constant(0), positive(50), positive(5000)), { minLength: 2, maxLength: 45 });
const TREE = Array.from({ length: 32 }, (_, leaf) => 7 * leaf);

/** Facts about two to five columns, the last of which is a tree, and their tables of one to three columns. */
const facts: fc.Arbitrary<Facts> = fc.array(counts, { minLength: 1, maxLength: 4 }).chain((lists) => {
  const columns = [...lists.keys(), lists.length];
  const claim = (most: number): fc.Arbitrary<Claim> =>
    fc.record({
      columns: fc.subarray(columns, { minLength: 1, maxLength: Math.min(most, columns.length) }),
      levels: fc.constant(1),
      cost: fc.constantFrom(1, 1, 0.25, 0.9),
      weight: positive(1000),
      open: fc.boolean(),
    });
  const leveled = (one: Claim): Claim => (one.columns.includes(lists.length) ? { ...one, levels: 5, cost: 5 } : one);
  return fc.record({
    counts: fc.constant([...lists, TREE]),
    oneWays: fc.tuple(
      ...columns.map((column) =>
        positive(100).map((weight) => leveled({ columns: [column], levels: 1, cost: 1, weight, open: false })),
      ),
    ),
    tables: fc.array(claim(3).map(leveled), { minLength: 1, maxLength: 6 }),
    ranks: fc.constant([
      { from: 0, to: 0.1, wrong: 0.5 },
      { from: 0.1, to: 0.4, wrong: 0.2 },
      { from: 0.4, to: 1, wrong: 0.01 },
    ]),
    candidates: fc.integer({ min: 1, max: 100 }),
    leastGroups: fc.integer({ min: 2, max: 30 }),
    unit: positive(100),
    known: positive(1),
    rows: fc.constant(
      lists
        .flat()
        .concat(TREE)
        .reduce((a, b) => a + b, 1),
    ),
    times: positive(20),
    oneWaysWeight: positive(500),
    fixedWeight: positive(500),
    candidateWeight: positive(50),
    mostWrong: fc.constant(0.6),
    kept: fc.constant(1.5),
    leastCount: fc.constant(2),
    mostNoise: fc.constant(0.3),
  });
});

it("predicts the error that the oracle adds up, table by table", () => {
  const part = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(facts, fc.double({ min: 0, max: 1, noNaN: true }), part, part, (given, chosen, again, tables) => {
      exports.rewind(bottom);
      const picks = Math.round(chosen * given.candidates);
      const found = exports.predictError(placeDivision(engine, given), picks, again, tables);
      const expected = predictedError(given, picks, again, tables);
      expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 * expected);
    }),
    { numRuns: 300 },
  );
});

it("predicts what is left if all of the budget buys one-ways", () => {
  fc.assert(
    fc.property(facts, (given) => {
      exports.rewind(bottom);
      const open = { ...given, fixedWeight: 0, tables: given.tables.map((table) => ({ ...table, open: true })) };
      const found = exports.predictError(placeDivision(engine, open), 0, 1, 0);
      const expected = predictedError(open, 0, 1, 0);
      expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 * expected);
    }),
  );
});

it("predicts the errors of divisions that buy step after step of one-ways", () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 5 }), (given, first, count) => {
      exports.rewind(bottom);
      const division = placeDivision(engine, given);
      const errors = engine.alloc(8 * count);
      exports.predictErrors(division, 1, first, count, 10, 12, errors);
      const expected = Array.from({ length: count }, (_, step) =>
        exports.predictError(division, 1, (first + step) / 12, (10 - first - step) / 12),
      );
      expect([...engine.f64(errors, count)]).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
