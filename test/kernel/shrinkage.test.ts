import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { type NoisyTable, shrunkTable } from "../reference/shrinkage.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function shrink({ table, first, second, sigma, ordered }: NoisyTable): number[] {
  exports.rewind(bottom);
  const cells = Float64Array.from(table.flat());
  const [p, q] = [first, second].map((values) => engine.place(Float64Array.from(values)));
  const scratch = engine.alloc(8 * (2 * cells.length + first.length + second.length));
  const pointer = engine.place(cells);
  const total = first.reduce((a, b) => a + b, 0);
  exports.shrinkTable(pointer, first.length, second.length, ...ordered, p, q, total, sigma, scratch);
  return [...engine.f64(pointer, cells.length)];
}

/** A table of two columns that go together in one way, and one that has cells of its own; with its true one-ways. */
function problem(rows: number, columns: number, sigma: number, ordered: [number, number], seed: number) {
  const uniform = uniforms(seed);
  const weights = (count: number) => Array.from({ length: count }, () => 0.2 + uniform());
  const [p, q, tilt, lean] = [rows, columns, rows, columns].map(weights);
  const truth = p.map((a, i) => q.map((b, j) => 40 * a * b * (0.4 + tilt[i] * lean[j]) + (uniform() < 0.02 ? 300 : 0)));
  const noise = gaussians(uniform, rows * columns);
  const table = truth.map((row, i) => row.map((count, j) => Math.round(count + sigma * noise[i * columns + j])));
  const first = truth.map((row) => row.reduce((a, b) => a + b, 0));
  const second = truth[0].map((_, j) => truth.reduce((sum, row) => sum + row[j], 0));
  return { truth, noisy: { table, first, second, sigma, ordered } };
}

const squares = (estimate: readonly number[], truth: readonly number[][]): number =>
  truth.flat().reduce((sum, count, cell) => sum + (count - estimate[cell]) ** 2, 0);

describe("shrinkTable", () => {
  it("agrees with a whole decomposition, on clear tables and at the edge of the noise", () => {
    const sizes = fc.integer({ min: 1, max: 24 });
    const sigmas = fc.constantFrom(0.5, 4, 30, 200);
    fc.assert(
      fc.property(sizes, sizes, sigmas, fc.boolean(), fc.nat(), (rows, columns, sigma, isOrdered, seed) => {
        const { noisy } = problem(rows, columns, sigma, isOrdered ? [rows, Math.max(1, columns - 1)] : [0, 0], seed);
        const expected = shrunkTable(noisy);
        // The engine's vectors are inexact where values lie close together, or near the edge of the noise.
        expect(Math.sqrt(squares(shrink(noisy), expected) / (rows * columns))).toBeLessThan(0.1 * sigma);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("leaves a table without noise as it is", () => {
    for (const [rows, columns] of [
      [1, 5],
      [2, 2],
      [7, 30],
      [40, 12],
    ]) {
      const { truth, noisy } = problem(rows, columns, 0, [0, 0], 3);
      const rounded = { ...noisy, table: truth, sigma: 1e-6 };
      for (const [cell, count] of shrink(rounded).entries()) expect(count).toBeCloseTo(truth.flat()[cell], 3);
    }
  });

  it.each([
    [9, 12, 20],
    [16, 100, 20],
    [60, 60, 50],
    [85, 7, 100],
  ])("has a smaller squared error than the noisy table, %i × %i at σ = %i", (rows, columns, sigma) => {
    for (const ordered of [
      [0, 0],
      [rows, columns],
    ] as [number, number][]) {
      let [raw, shrunk] = [0, 0];
      for (let seed = 0; seed < 5; seed++) {
        const { truth, noisy } = problem(rows, columns, sigma, ordered, seed);
        raw += squares(noisy.table.flat(), truth);
        shrunk += squares(shrink(noisy), truth);
      }
      expect(shrunk / raw).toBeLessThan(0.7);
    }
  });

  it("takes independent columns for independent where the noise is no smaller than what ties them", () => {
    const { noisy } = problem(30, 30, 1, [0, 0], 1);
    const product = noisy.first.map((p) => noisy.second.map((q) => (p * q) / noisy.first.reduce((a, b) => a + b, 0)));
    const noise = gaussians(uniforms(5), 900);
    const table = product.map((row, i) => row.map((count, j) => count + 30 * noise[30 * i + j]));
    expect(squares(shrink({ ...noisy, table, sigma: 30 }), product)).toBeLessThan(0.05 * 900 * 900);
  });
});

it("shrinkOrdered keeps the sum, smooths noise away and keeps steps", () => {
  exports.rewind(bottom);
  const truth = Array.from({ length: 80 }, (_, code) => (code === 0 ? 900 : code < 40 ? 100 : 20));
  const noisy = gaussians(uniforms(2), 80).map((z, code) => truth[code] + 10 * z);
  const pointer = engine.place(Float64Array.from(noisy));
  exports.shrinkOrdered(pointer, 80, 10);
  const estimate = [...engine.f64(pointer, 80)];
  expect(estimate.reduce((a, b) => a + b, 0)).toBeCloseTo(
    noisy.reduce((a, b) => a + b, 0),
    6,
  );
  const error = (values: number[]) => values.reduce((sum, value, code) => sum + (value - truth[code]) ** 2, 0);
  expect(error(estimate) / error(noisy)).toBeLessThan(0.5);
});
