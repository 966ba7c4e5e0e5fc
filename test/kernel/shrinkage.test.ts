import { describe, expect, it } from "vitest";
import { cellsIn, cellsOf, queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { type Axis, type NoisyTable, shrunkTable } from "../reference/shrinkage.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const unordered = (size: number): Axis => ({ name: "c", size, tree: false, missing: false, codes: 0 });
const ordered = (size: number, codes = size): Axis => ({ ...unordered(size), codes });
const tree = (missing: boolean): Axis => ({ ...unordered(32 + +missing), tree: true, missing });

function shrink({ axes, implied, chained, sums, precisions }: NoisyTable): number[] {
  exports.rewind(bottom);
  const query = writeQuery(engine, queryOf([...axes.keys()], axes), axes);
  const codes = engine.place(Uint32Array.from(axes, (axis) => axis.codes));
  const scratch = engine.alloc(8 * (4 * implied.length + 1));
  const expected = implied.map((count, cell) => count + (chained?.[cell] ?? 0));
  const [table, margins, sum, precision] = [expected, implied, sums, precisions].map((values) =>
    engine.place(Float64Array.from(values)),
  );
  exports.shrinkTable(query, codes, table, chained ? margins : 0, sum, precision, scratch);
  return [...engine.f64(table, implied.length)];
}

/**
 * Counts with one kind of dependence over all axes, and some cells that deviate from it. Their margins imply the
 * product of the one-ways.
 */
function problem(axes: readonly Axis[], seed: number): { truth: number[]; implied: number[] } {
  const uniform = uniforms(seed);
  const vectors = () => axes.map(({ size }) => Array.from({ length: size }, () => 0.2 + uniform()));
  const [weights, tilts] = [vectors(), vectors()];
  const codes = (cell: number) => {
    let rest = cell;
    return axes.map((_, axis) => {
      const inner = cellsIn(axes.slice(axis + 1).map(({ size }) => size));
      const code = Math.floor(rest / inner);
      rest -= code * inner;
      return code;
    });
  };
  const product = (lists: number[][], at: readonly number[]) => at.reduce((p, code, axis) => p * lists[axis][code], 1);
  const places = Array.from({ length: cellsIn(axes.map(({ size }) => size)) }, (_, cell) => codes(cell));
  const truth = places.map(
    (at) => 40 * product(weights, at) * (0.4 + product(tilts, at)) + (uniform() < 0.02 ? 300 : 0),
  );
  const total = truth.reduce((a, b) => a + b, 0);
  const oneWays = axes.map(({ size }) => new Array(size).fill(0));
  for (const [cell, at] of places.entries())
    for (const [axis, code] of at.entries()) oneWays[axis][code] += truth[cell];
  return { truth, implied: places.map((at) => product(oneWays, at) / total ** (axes.length - 1)) };
}

/** The truth measured with noise of standard deviation σ on every answer; for a tree, on all levels. */
function measured(axes: readonly Axis[], truth: readonly number[], sigma: number, seed: number) {
  exports.rewind(bottom);
  const query = queryOf([...axes.keys()], axes);
  const cells = cellsOf(query, axes);
  const struct = writeQuery(engine, query, axes);
  const exact = new Float64Array(cells);
  exact.set(truth, cells - truth.length);
  const levels = engine.place(exact);
  exports.estimateLevels(struct, levels);
  const noise = gaussians(uniforms(seed + 1000), cells);
  const answers = engine.f64(levels, cells).map((count, at) => Math.round(count + sigma * noise[at]));
  const [sums, precisions, scratch] = [0, 1, 2].map(() => engine.alloc(8 * truth.length));
  const given = engine.place(Int32Array.from(answers));
  exports.addMargin(struct, struct, given, Math.max(sigma ** 2, 1e-9), sums, precisions, scratch);
  return {
    leaves: [...answers.subarray(cells - truth.length)],
    sums: [...engine.f64(sums, truth.length)],
    precisions: [...engine.f64(precisions, truth.length)],
  };
}

const squares = (estimate: readonly number[], truth: readonly number[]): number =>
  truth.reduce((sum, count, cell) => sum + (count - estimate[cell]) ** 2, 0);

const SHAPES: [string, Axis[]][] = [
  ["a column", [unordered(9)]],
  ["an ordered column with missing", [ordered(41, 40)]],
  ["a tree", [tree(false)]],
  ["a tree with missing", [tree(true)]],
  ["9 × 12 codes", [unordered(9), unordered(12)]],
  ["16 × 70 codes, ordered", [ordered(16), ordered(70, 69)]],
  ["a tree × 7 codes", [tree(false), unordered(7)]],
  ["20 ordered codes × a tree with missing", [ordered(20), tree(true)]],
  ["a tree × a tree with missing", [tree(false), tree(true)]],
  ["5 × 6 × 4 codes", [unordered(5), unordered(6), unordered(4)]],
  ["3 × 15 ordered × a tree with missing", [unordered(3), ordered(15), tree(true)]],
  ["3 × 2 × 4 × 5 codes", [unordered(3), unordered(2), unordered(4), unordered(5)]],
];

describe("shrinkTable", () => {
  /** The distance per cell between the engine and the oracle, in standard deviations of the noise. */
  function distance(axes: readonly Axis[], sigma: number, seed: number): number {
    const { truth, implied } = problem(axes, seed);
    const { sums, precisions } = measured(axes, truth, sigma, seed);
    const noisy = { axes, implied, sums, precisions };
    return Math.sqrt(squares(shrink(noisy), shrunkTable(noisy)) / truth.length) / sigma;
  }

  // If a singular value is near the edge, its vectors are inexact in the engine, and then another of two thresholds
  // with about the same risk may be the better one. So a few tables may be estimated a little differently; most agree
  // up to the rounding of a threshold's step.
  it.each(SHAPES)("agrees with the oracle on %s, clear or at the edge of the noise", (_, axes) => {
    const bound = axes.length === 2 ? 0.05 : 1e-9;
    for (const sigma of [0.5, 30, 200]) expect(distance(axes, sigma, 7)).toBeLessThan(bound);
  });

  it.each(SHAPES.filter(([, axes]) => axes.length === 2))(
    "agrees with the oracle on %s of which part is known from chains",
    (_, axes) => {
      const { truth, implied } = problem(axes, 7);
      const chained = truth.map((count, cell) => (count - implied[cell]) / 2);
      for (const sigma of [0.5, 30, 200]) {
        const noisy = { axes, implied, chained, ...measured(axes, truth, sigma, 7) };
        const distance = Math.sqrt(squares(shrink(noisy), shrunkTable(noisy)) / truth.length) / sigma;
        expect(distance).toBeLessThan(0.05);
      }
    },
  );

  it("agrees with the oracle on pairs of any size", () => {
    const uniform = uniforms(11);
    const size = () => 1 + Math.floor(24 * uniform());
    const distances = Array.from({ length: 100 }, (_, seed) => {
      const sizes = [size(), size()];
      return distance(sizes.map(seed % 2 ? unordered : (count) => ordered(count)), seed % 3 ? 30 : 4, seed);
    }).sort((a, b) => a - b);
    expect(distances[95]).toBeLessThan(0.005);
    expect(distances[99]).toBeLessThan(0.15);
  });

  it.each(SHAPES)("leaves %s without noise unchanged", (_, axes) => {
    const { truth, implied } = problem(axes, 3);
    const counts = truth.map(Math.round);
    // What the margins imply has the true sums, up to rounding. For three or more columns it need not.
    const { sums, precisions } = measured(axes, counts, 0, 3);
    const found = shrink({ axes, implied, sums, precisions });
    const rounding =
      axes.length < 3 ? cellsIn(axes.map(({ size }) => size)) / Math.min(...axes.map(({ size }) => size)) : 0;
    for (const [cell, count] of found.entries())
      expect(Math.abs(count - counts[cell])).toBeLessThan(0.01 + rounding / 2);
  });

  // Truths and noise are drawn from fixed seeds, so the ratios are the same each time.
  it.each(SHAPES.filter(([, axes]) => axes.length > 1))(
    "has a smaller squared error than the leaves of %s",
    (_, axes) => {
      for (const sigma of [20, 100]) {
        let [raw, shrunk] = [0, 0];
        for (let seed = 0; seed < 5; seed++) {
          const { truth, implied } = problem(axes, seed);
          const { leaves, sums, precisions } = measured(axes, truth, sigma, seed);
          raw += squares(leaves, truth);
          shrunk += squares(shrink({ axes, implied, sums, precisions }), truth);
        }
        expect(shrunk / raw).toBeLessThan(0.8);
      }
    },
  );

  it("treats columns as independent if the noise is no smaller than their dependence", () => {
    for (const axes of [
      [unordered(30), unordered(30)],
      [tree(false), unordered(30)],
    ]) {
      const { implied } = problem(axes, 1);
      const { sums, precisions } = measured(axes, implied, 30, 5);
      expect(squares(shrink({ axes, implied, sums, precisions }), implied)).toBeLessThan(0.05 * implied.length * 900);
    }
  });

  it("leaves codes with fewer rows than two deviations of the noise as implied, whatever their measurements", () => {
    for (const axes of [
      [unordered(6), unordered(8)],
      [ordered(20), unordered(8)],
      [unordered(6), unordered(3), unordered(4)],
    ]) {
      const { implied } = problem(axes, 1);
      const first = implied.length / axes[0].size;
      const rows = implied.slice(0, first).reduce((a, b) => a + b, 0);
      const tied = implied.map((count, cell) => count + ((cell ^ Math.floor(cell / first)) & 1 ? 1000 : -1000));
      for (const [part, isLeft] of [
        [0.51, true],
        [0.49, false],
      ] as const) {
        const { sums, precisions } = measured(axes, tied, 0, 2);
        const deviation = part * rows;
        const noisy = {
          axes,
          implied,
          sums: sums.map((sum, at) => sum / precisions[at] / deviation ** 2),
          precisions: precisions.map(() => 1 / deviation ** 2),
        };
        const found = shrink(noisy).slice(0, first);
        expect(found.every((count, cell) => count === implied[cell])).toBe(isLeft);
      }
    }
  });

  it("keeps the sum of one column, smooths noise away and keeps steps", () => {
    const step = (_: unknown, code: number) => (code === 0 ? 900 : code < 16 ? 100 : 20);
    for (const axes of [[ordered(80)], [tree(false)]]) {
      const truth = Array.from({ length: axes[0].size }, step);
      const total = truth.reduce((a, b) => a + b, 0);
      const { leaves, sums, precisions } = measured(axes, truth, 10, 2);
      const found = shrink({ axes, implied: truth.map(() => total / truth.length), sums, precisions });
      expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 6);
      expect(squares(found, truth) / squares(leaves, truth)).toBeLessThan(0.5);
    }
  });
});
