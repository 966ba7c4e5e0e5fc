import fc from "fast-check";
import { expect, it } from "vitest";
import { startColumns } from "../../src/projection/start.js";
import { instance } from "../engine.js";
import { ALPHA, chiSquareTail, goodnessOfFit } from "../reference/statistics.js";

const engine = instance();
const bottom = engine.exports.mark();

/** A column given another one, or on its own. */
function drawn(given: readonly number[], weights: readonly number[], size: number, seed: number): number[] {
  engine.exports.rewind(bottom);
  const columns = [engine.place(Uint16Array.from(given)), engine.alloc(2 * given.length)];
  const parent = weights.length > size ? 0 : undefined;
  const from = { column: 1, parent, weights: Float64Array.from(weights) };
  startColumns(engine, [from], columns, [0, size], given.length, seed);
  return [...engine.u16(columns[1], given.length)];
}

const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true }));

it("gives the rows of each code of the parent codes in their proportions, as exactly as whole rows allow", () => {
  const cases = fc.record({
    given: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 60 }),
    weights: fc.array(weight, { minLength: 12, maxLength: 12 }),
    alone: fc.boolean(),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  });
  fc.assert(
    fc.property(cases, ({ given, weights, alone, seed }) => {
      const cells = drawn(given, alone ? weights.slice(0, 4) : weights, 4, seed);
      for (const group of alone ? [0] : [0, 1, 2]) {
        const held = cells.filter((_, row) => alone || given[row] === group);
        const own = weights.slice(4 * group, 4 * group + 4);
        const sum = own.reduce((a, b) => a + b, 0);
        for (const [code, part] of own.entries()) {
          const expected = held.length * (sum > 0 ? part / sum : 1 / 4);
          expect(Math.abs(held.filter((cell) => cell === code).length - expected)).toBeLessThan(1 + 1e-6);
        }
      }
    }),
    { seed: 1 },
  );
});

it("rounds up and down with the chances that keep the mean", () => {
  // 1 row of 3 codes: the chances of each are its weights.
  const counts = [0, 0, 0];
  for (let seed = 0; seed < 20_000; seed++) counts[drawn([0], [1, 5, 2], 3, seed)[0]]++;
  expect(goodnessOfFit(counts, [1 / 8, 5 / 8, 2 / 8])).toBeGreaterThan(ALPHA);
});

it("puts them in random order, among all rows that have the parent's code", () => {
  // Two rows of code 1 among 6 get different codes. Both arrangements are equally likely, and so are all 6 places of a
  // single code.
  const [orders, places] = [[0, 0], Array<number>(6).fill(0)];
  for (let seed = 0; seed < 20_000; seed++) {
    orders[drawn([0, 1, 0, 0, 1, 0], [1, 0, 1, 1], 2, seed)[1]]++;
    places[drawn([0, 0, 0, 0, 0, 0], [5, 1], 2, seed).indexOf(1)]++;
  }
  expect(goodnessOfFit(orders, [0.5, 0.5])).toBeGreaterThan(ALPHA);
  expect(goodnessOfFit(places, Array(6).fill(1 / 6))).toBeGreaterThan(ALPHA);
});

it("links no two columns: if drawn individually, their pairs are those of independent columns", () => {
  const rows = 3000;
  engine.exports.rewind(bottom);
  const columns = Array.from({ length: 6 }, () => engine.alloc(2 * rows));
  const weights = Float64Array.of(4, 3, 2, 1);
  const start = [...columns.keys()].map((column) => ({ column, weights }));
  startColumns(engine, start, columns, new Array(6).fill(4), rows, 9);
  const codes = columns.map((pointer) => [...engine.u16(pointer, rows)]);
  for (const [at, one] of codes.entries())
    for (const other of codes.slice(at + 1)) expect(independence(one, other, 4)).toBeGreaterThan(ALPHA);
  // Columns sorted by their codes are linked by that order.
  const [sorted, too] = [codes[0], codes[1]].map((cells) => [...cells].sort());
  expect(independence(sorted, too, 4)).toBeLessThan(ALPHA);
});

/** The chi-square test that two columns of `size` codes are independent. */
function independence(one: readonly number[], other: readonly number[], size: number): number {
  const counts = new Float64Array(size * size);
  for (const [row, code] of one.entries()) counts[code * size + other[row]]++;
  let statistic = 0;
  for (let a = 0; a < size; a++)
    for (let b = 0; b < size; b++) {
      const [p, q] = [one.filter((code) => code === a).length, other.filter((code) => code === b).length];
      statistic += (counts[a * size + b] - (p * q) / one.length) ** 2 / ((p * q) / one.length);
    }
  return chiSquareTail(statistic, (size - 1) ** 2);
}
