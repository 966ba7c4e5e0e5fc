import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { correctedTable, type PublicProblem, publicColumn, publicPair } from "../reference/public-rows.js";
import type { Axis } from "../reference/shrinkage.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const axis = (size: number): Axis => ({ name: "c", size, tree: false, missing: false, codes: 0 });
const tree: Axis = { ...axis(32), tree: true };
const size = fc.integer({ min: 2, max: 9 });
const doubles = (values: readonly number[]) => engine.place(Float64Array.from(values));
const close = (found: readonly number[], expected: readonly number[]) => {
  for (const [cell, value] of expected.entries())
    expect(Math.abs(found[cell] - value)).toBeLessThan(1e-5 * (1 + Math.max(...expected)));
};
const distance = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, cell) => value - other[cell]));

function implied(axes: readonly Axis[], counts: readonly number[], total: number, margins: readonly number[][]) {
  exports.rewind(bottom);
  const query = writeQuery(engine, queryOf([...axes.keys()], axes), axes);
  const [table, scratch] = [0, 1].map(() => engine.alloc(8 * counts.length));
  const given = engine.place(Uint32Array.from(margins.map(doubles)));
  exports.publicRowsTable(query, engine.place(Int32Array.from(counts)), total, table, given, scratch);
  return [...engine.f64(table, counts.length)];
}

function correct({ axes, table, noisy, variance, sampling }: PublicProblem, as = exports.correctPublicTable) {
  exports.rewind(bottom);
  const query = writeQuery(engine, queryOf([...axes.keys()], axes), axes);
  const ordered = engine.place(new Uint32Array(axes.length));
  const values = doubles(table);
  const sums = doubles(noisy.map((count) => count / variance));
  const precisions = doubles(noisy.map(() => 1 / variance));
  as(query, ordered, values, sums, precisions, sampling, engine.alloc(8 * (3 * table.length + 1)));
  const left = [sums, precisions].flatMap((used) => [...engine.f64(used, table.length)]);
  return { table: [...engine.f64(values, table.length)], left };
}

/** Public counts of one column or two, and the counts of as many other people, who differ by a factor of e^±shift. */
function people(axes: readonly Axis[], shift: number, seed: number): { known: number[]; truth: number[] } {
  const uniform = uniforms(seed);
  const cells = axes.reduce((product, { size }) => product * size, 1);
  const known = Array.from({ length: cells }, () => Math.round(400 * uniform() ** 3));
  const truth = known.map((count) => count * Math.exp(shift * (uniform() < 0.5 ? -1 : 1)));
  return { known, truth };
}

function problemOf(axes: readonly Axis[], shift: number, sigma: number, seed: number): PublicProblem {
  const { known, truth } = people(axes, shift, seed);
  const total = truth.reduce((a, b) => a + b, 0);
  const columns = axes.at(-1)!.size;
  const rows = (table: readonly number[], by: number, step: number) =>
    Array.from({ length: by }, (_, at) =>
      table.reduce((sum, count, cell) => sum + (Math.floor(cell / step) % by === at ? count : 0), 0),
    );
  const margins = [rows(truth, truth.length / columns, columns), rows(truth, columns, 1)] as const;
  const table = axes.length === 1 ? publicColumn(known, total) : publicPair(known, margins);
  const noise = gaussians(uniforms(seed + 1000), truth.length);
  const noisy = truth.map((count, cell) => count + sigma * noise[cell]);
  return { axes, table, noisy, variance: sigma ** 2, sampling: 2 };
}

describe("the table that public rows imply", () => {
  it("is theirs, and a row more, for one column", () => {
    fc.assert(
      fc.property(size, fc.nat(), (codes, seed) => {
        const { known } = people([axis(codes)], 0, seed);
        const found = implied([axis(codes)], known, 500, [[], []]);
        close(found, publicColumn(known, 500));
        expect(found.reduce((a, b) => a + b)).toBeCloseTo(500, 8);
      }),
    );
  });

  it("has given margins, for two columns", () => {
    fc.assert(
      fc.property(size, size, fc.nat(), (rows, columns, seed) => {
        const axes = [axis(rows), axis(columns)];
        const { known } = people(axes, 0, seed);
        const uniform = uniforms(seed + 1);
        const [first, second] = [rows, columns].map((length) => Array.from({ length }, () => 100 * uniform()));
        close(implied(axes, known, 0, [second, first]), publicPair(known, [first, second]));
      }),
    );
  });

  it("has independent columns where public rows lack a code", () => {
    const [first, second] = [
      [50, 50],
      [20, 80],
    ];
    const found = implied([axis(2), axis(2)], [300, 100, 0, 0], 0, [second, first]);
    expect(found.every((count) => count > 0)).toBe(true);
  });
});

describe("the corrected table", () => {
  it("follows the most likely explanation", () => {
    const random = fc.record({ shift: fc.constantFrom(0, 0.1, 0.5, 2), sigma: fc.constantFrom(0.5, 5, 50, 1000) });
    fc.assert(
      fc.property(size, fc.option(size, { nil: undefined }), random, fc.nat(), (rows, columns, given, seed) => {
        const axes = [rows, ...(columns === undefined ? [] : [columns])].map(axis);
        const problem = problemOf(axes, given.shift, given.sigma, seed);
        const { table, left } = correct(problem);
        close(table, correctedTable(problem));
        expect(left.every((value) => value === 0)).toBe(true);
      }),
    );
  });

  it("stays with public rows of the same people where there is much noise", () => {
    const problem = problemOf([axis(9), axis(9)], 0, 500, 1);
    const { table, noisy } = problem;
    expect(distance(correct(problem).table, table)).toBeLessThan(0.01 * distance(noisy, table));
  });

  it("leaves public rows of other people where there is little noise", () => {
    for (const axes of [[axis(9)], [axis(9), axis(9)]]) {
      const problem = problemOf(axes, 2, 0.5, 2);
      const { table, noisy } = problem;
      expect(distance(correct(problem).table, noisy)).toBeLessThan(0.02 * distance(table, noisy));
    }
  });

  it("is that of shrinkTable with a tree", () => {
    const axes = [tree, axis(3)];
    const problem = problemOf(axes, 0.5, 20, 3);
    const shrunk = correct(problem, (query, ordered, table, sums, precisions, _, scratch) =>
      exports.shrinkTable(query, ordered, table, 0, sums, precisions, scratch),
    );
    expect(correct(problem)).toEqual(shrunk);
  });
});
