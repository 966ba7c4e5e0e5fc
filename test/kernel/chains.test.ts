import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { chain, chainWeights, dependence, shares } from "../reference/chains.js";
import { coefficients } from "../reference/haar.js";
import { treeBasis } from "../reference/hierarchy.js";
import { transposed } from "../reference/interaction.js";
import { type Axis, alongAxes } from "../reference/shrinkage.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const size = fc.integer({ min: 1, max: 9 });
const place = (values: readonly number[]) => engine.place(Float64Array.from(values));
const unordered = (count: number): Axis => ({ name: "c", size: count, tree: false, missing: false, codes: 0 });
const tree: Axis = { ...unordered(32), tree: true };

function tableOf(rows: number, columns: number, seed: number): number[][] {
  const uniform = uniforms(seed);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => 100 * uniform()));
}

const sums = (table: number[][]) => table.map((row) => row.reduce((a, b) => a + b, 0));

describe("dependenceOf", () => {
  it("is φ²", () => {
    fc.assert(
      fc.property(size, size, fc.nat(), (rows, columns, seed) => {
        exports.rewind(bottom);
        const table = tableOf(rows, columns, seed);
        const [first, second] = [[0, ...sums(table).slice(1)], sums(transposed(table))];
        const found = exports.dependenceOf(place(table.flat()), place(first), rows, place(second), columns, 300);
        expect(found).toBeCloseTo(dependence(table, first, second, 300), 8);
      }),
    );
  });
});

describe("chainInteraction", () => {
  it("is what two columns have that are independent given a third, wherever that is", () => {
    fc.assert(
      fc.property(size, size, size, fc.nat(), fc.boolean(), fc.boolean(), (codes, rows, columns, seed, left, right) => {
        exports.rewind(bottom);
        const [one, other] = [tableOf(codes, rows, seed), tableOf(codes, columns, seed + 1)];
        const middle = sums(one).map((count, code) => (code === 1 ? 0 : count));
        const ends = [sums(transposed(one)), sums(transposed(other))];
        const [out, scratch] = [8 * rows * columns, 8 * codes * (rows + columns)].map((bytes) => engine.alloc(bytes));
        exports.chainInteraction(
          ...([place((left ? transposed(one) : one).flat()), +left] as const),
          ...([place((right ? transposed(other) : other).flat()), +right] as const),
          ...([place(middle), codes, place(ends[0]), rows, place(ends[1]), columns, 500, out, scratch] as const),
        );
        const expected = chain(one, other, middle, ends, 500).flat();
        for (const [cell, count] of engine.f64(out, rows * columns).entries())
          expect(count).toBeCloseTo(expected[cell], 6);
      }),
    );
  });

  it("is the interaction itself if the chain is true", () => {
    exports.rewind(bottom);
    const one = [
      [30, 10],
      [6, 54],
    ];
    const other = [
      [20, 10, 10],
      [12, 30, 18],
    ];
    const middle = [40, 60];
    const [first, second] = [one, other].map((table) => sums(transposed(table)));
    const joint = first.map((_, a) =>
      second.map((_, b) => middle.reduce((all, count, code) => all + (one[code][a] * other[code][b]) / count, 0)),
    );
    const [out, scratch] = [engine.alloc(48), engine.alloc(80)];
    const margins = [place(middle), 2, place(first), 2, place(second), 3, 100, out, scratch] as const;
    exports.chainInteraction(place(one.flat()), 0, place(other.flat()), 0, ...margins);
    const found = [...engine.f64(out, 6)];
    for (const [cell, count] of joint.flat().entries())
      expect(found[cell]).toBeCloseTo(count - (first[Math.floor(cell / 3)] * second[cell % 3]) / 100, 9);
  });
});

it("hear no more from a code than its rows can say", () => {
  exports.rewind(bottom);
  // Noise is left in the last code's cells, of which hardly any rows can have it.
  const table = [
    [50, 30],
    [40, -20],
  ];
  const [middle, ends] = [place([80, 0.001]), place([50, 30])];
  expect(exports.dependenceOf(place(table.flat()), middle, 2, ends, 2, 80)).toBeLessThan(0.01);
  const [out, scratch] = [engine.alloc(32), engine.alloc(64)];
  const links = [place(table.flat()), 0, place(table.flat()), 0] as const;
  exports.chainInteraction(...links, middle, 2, ends, 2, ends, 2, 80, out, scratch);
  for (const count of engine.f64(out, 4)) expect(Math.abs(count)).toBeLessThanOrEqual(0.002);
});

describe("fitChains", () => {
  function problem(axes: readonly Axis[], count: number, seed: number) {
    const uniform = uniforms(seed);
    const cells = axes.reduce((product, axis) => product * axis.size, 1);
    const numbers = (least: number, most: number) =>
      Array.from({ length: cells }, () => least + (most - least) * uniform());
    const implied = numbers(0, 40);
    const chains = Array.from({ length: count }, () => numbers(-20, 20));
    const precisions = numbers(0.01, 0.2);
    const inBases = (table: readonly number[]) =>
      alongAxes(axes, table, (line, axis) => coefficients(treeBasis(axes[axis]), line));
    // What was measured follows some of the chains, and none of the others.
    const told = implied.map(
      (expected, cell) => expected + chains.reduce((all, own, at) => all + (at % 2 ? -0.2 : 0.6) * own[cell], 0),
    );
    const noise = numbers(-10, 10);
    const sums = inBases(told).map((count, cell) => (count + noise[cell]) * precisions[cell]);
    return { axes, implied, chains, sums, precisions, inBases };
  }

  function weights({ axes, implied, chains, sums, precisions }: ReturnType<typeof problem>): number[] {
    exports.rewind(bottom);
    const query = writeQuery(engine, queryOf([...axes.keys()], axes), axes);
    const [out, scratch] = [engine.alloc(8 * chains.length), engine.alloc(24 * implied.length)];
    const placed = place(chains.flat());
    const measured = [place(sums), place(precisions)] as const;
    exports.fitChains(query, place(implied), placed, chains.length, ...measured, out, scratch);
    const left = engine.f64(placed, chains.flat().length);
    for (const [at, x] of chains.flat().entries()) expect(left[at]).toBeCloseTo(x, 9);
    return [...engine.f64(out, chains.length)];
  }

  it.each([
    ["codes", [unordered(6), unordered(9)]],
    ["a tree and codes", [tree, unordered(5)]],
    ["a single cell", [unordered(1), unordered(1)]],
  ] as [string, Axis[]][])("agrees with the oracle on %s", (_, axes) => {
    for (let count = 1; count <= 8; count++) {
      const given = problem(axes, count, count);
      const found = weights(given);
      const expected = chainWeights(given, given.inBases(given.implied), given.chains.map(given.inBases));
      for (const [at, weight] of found.entries()) expect(weight).toBeCloseTo(expected[at], 7);
    }
  });

  it("finds the chains that the measurements follow, and leaves out the others", () => {
    const found = weights(problem([unordered(12), unordered(12)], 6, 3));
    for (const [at, weight] of found.entries())
      if (at % 2) expect(weight).toBe(0);
      else expect(Math.abs(weight - 0.6)).toBeLessThan(0.15);
  });
});

describe("weighChains and addChains", () => {
  it("add chains in proportion to the dependence that they imply", () => {
    fc.assert(
      fc.property(size, size, fc.nat(), (count, cells, seed) => {
        exports.rewind(bottom);
        const [[implied], chains] = [tableOf(1, cells, seed), tableOf(Math.min(count, 8), cells, seed + 1)];
        implied[0] = 0;
        const [table, placed] = [place(implied), place(chains.flat())];
        const weights = engine.alloc(8 * chains.length);
        exports.weighChains(table, placed, chains.length, cells, weights);
        const expected = shares(implied, chains);
        for (const [at, weight] of engine.f64(weights, chains.length).entries())
          expect(weight).toBeCloseTo(expected[at], 12);
        exports.addChains(table, placed, chains.length, cells, weights);
        for (const [cell, count] of engine.f64(table, cells).entries())
          expect(count).toBeCloseTo(
            implied[cell] + chains.reduce((all, own, at) => all + expected[at] * own[cell], 0),
            9,
          );
      }),
    );
  });
});
