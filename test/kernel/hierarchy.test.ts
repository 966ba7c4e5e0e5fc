import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { cellsIn, cellsOf, type Query, queryOf, shapesOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { attribute, integers } from "../random-tables.js";
import { margin, productBasis } from "../reference/hierarchy.js";
import { answers as exactAnswers } from "../reference/marginal.js";
import { uniforms } from "../reference/statistics.js";
import { cellOf, codesIn, part } from "../reference/tree.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const age: Attribute = { name: "age", size: 33, tree: true, missing: true };
const wage: Attribute = { name: "wage", size: 32, tree: true, missing: false };
const sex: Attribute = { name: "sex", size: 2, tree: false, missing: false };
const state: Attribute = { name: "state", size: 3, tree: false, missing: true };
const attributes = [age, sex, wage, state];

function addMargin(
  query: Query,
  columns: readonly number[],
  all: readonly Attribute[],
  answers: Int32Array,
  sigma2: number,
) {
  exports.rewind(bottom);
  const cells = cellsIn(columns.map((column) => all[column].size));
  const [sums, precisions, scratch] = [0, 1, 2].map(() => engine.alloc(8 * cells));
  const structs = [query, queryOf(columns, all)].map((set) => writeQuery(engine, set, all));
  exports.addMargin(structs[0], structs[1], engine.place(answers), sigma2, sums, precisions, scratch);
  return { sums: [...engine.f64(sums, cells)], precisions: [...engine.f64(precisions, cells)] };
}

const noisy = (query: Query, seed: number) => integers(cellsOf(query, attributes), 1000, seed);

/** The counts that coefficients stand for. */
function counts(columns: readonly number[], { sums, precisions }: ReturnType<typeof addMargin>): number[] {
  const basis = productBasis(columns.map((column) => attributes[column]));
  return basis[0].map((_, cell) =>
    basis.reduce((sum, vector, index) => sum + (vector[cell] * sums[index]) / precisions[index], 0),
  );
}

describe("addMargin", () => {
  it.each([
    [[0], [0]],
    [
      [0, 1],
      [0, 1],
    ],
    [[0, 1], [0]],
    [[0, 1], [1]],
    [[0, 2], [2]],
    [
      [0, 1, 3],
      [1, 3],
    ],
    [
      [0, 1, 3],
      [0, 3],
    ],
    [[1, 3], [3]],
    [
      [1, 3],
      [1, 3],
    ],
  ])("of columns %j gives for columns %j what the oracle finds", (measured, kept) => {
    const query = queryOf(measured, attributes);
    const answers = noisy(query, 3);
    const found = addMargin(query, kept, attributes, answers, 7);
    const expected = margin(query, kept, attributes, answers, 7);
    for (const [at, sum] of found.sums.entries()) expect(sum).toBeCloseTo(expected.sums[at], 6);
    for (const [at, precision] of found.precisions.entries()) expect(precision).toBeCloseTo(expected.precisions[at], 9);
  });

  it("solves the normal equations of the levels: the residuals of the answers sum to 0 over the levels of each cell", () => {
    for (const columns of [[0], [1, 2], [0, 3]]) {
      const query = queryOf(columns, attributes);
      const answers = noisy(query, 5);
      const table = counts(columns, addMargin(query, columns, attributes, answers, 4));
      const axes = columns.map((column) => attributes[column]);
      const places = table.map((_, cell) => {
        let rest = cell;
        return axes.map(({ size }, axis) => {
          const inner = cellsIn(axes.slice(axis + 1).map((later) => later.size));
          const code = Math.floor(rest / inner);
          rest -= code * inner;
          expect(code).toBeLessThan(size);
          return code;
        });
      });
      const left = table.map(() => 0);
      let start = 0;
      for (const [index, shape] of shapesOf(query, attributes).entries()) {
        const cells = places.map((codes) =>
          codes.reduce((cell, code, axis) => cell * shape[axis] + part(axes[axis], code, index + 1), 0),
        );
        const sums = new Array(cellsIn(shape)).fill(0);
        for (const [at, cell] of cells.entries()) sums[cell] += table[at];
        for (const [at, cell] of cells.entries()) left[at] += sums[cell] - answers[start + cell];
        start += sums.length;
      }
      for (const sum of left) expect(sum).toBeCloseTo(0, 6);
    }
  });

  it("finds the table of answers without noise, from any measurement of its columns", () => {
    fc.assert(
      fc.property(fc.array(attribute(4), { minLength: 2, maxLength: 3 }), fc.nat(), (all, seed) => {
        const uniform = uniforms(seed);
        const codes = all.map((one) => Uint16Array.from({ length: 40 }, () => Math.floor(uniform() * codesIn(one))));
        const query = queryOf([...all.keys()], all);
        fc.pre(cellsOf(query, all) < 20_000);
        const kept = [Math.floor(uniform() * all.length)];
        const { sums, precisions } = addMargin(query, kept, all, exactAnswers(query, all, codes), 3);
        const basis = productBasis(kept.map((column) => all[column]));
        const cells = [...codes[kept[0]]].map((code) => cellOf(all[kept[0]], code));
        const expected = basis[0].map((_, cell) => cells.filter((value) => value === cell).length);
        for (const [cell, count] of expected.entries()) {
          const found = basis.reduce((sum, vector, at) => sum + (vector[cell] * sums[at]) / precisions[at], 0);
          expect(found).toBeCloseTo(count, 8);
        }
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it("adds several measurements by inverse variance", () => {
    exports.rewind(bottom);
    const [sums, precisions, scratch] = [0, 1, 2].map(() => engine.alloc(16));
    const struct = writeQuery(engine, queryOf([1], attributes), attributes);
    for (const [answers, sigma2] of [
      [Int32Array.of(10, 0), 1],
      [Int32Array.of(0, 20), 4],
    ] as const)
      exports.addMargin(struct, struct, engine.place(answers), sigma2, sums, precisions, scratch);
    expect([...engine.f64(sums, 2)]).toEqual([10, 5]);
    expect([...engine.f64(precisions, 2)]).toEqual([1.25, 1.25]);
  });

  it("has the variance that it states, below that of the leaves alone", () => {
    // 2,000 tables of noise: each of 33 mean squares is within 20 % (6 standard deviations) of its variance, except for
    // one seed in a million.
    const query = queryOf([0], attributes);
    const uniform = uniforms(9);
    const squares = new Array(33).fill(0);
    for (let run = 0; run < 2000; run++) {
      const noise = Int32Array.from(gaussians(uniform, cellsOf(query, attributes)), (z) => Math.round(100 * z));
      const { sums, precisions } = addMargin(query, [0], attributes, noise, 10_000);
      for (const [at, sum] of sums.entries()) squares[at] += sum ** 2 / precisions[at] / 2000;
    }
    for (const square of squares) expect(Math.abs(square - 1)).toBeLessThan(0.2);
    const { precisions } = addMargin(query, [0], attributes, new Int32Array(cellsOf(query, attributes)), 10_000);
    expect(precisions[0] * 10_000).toBeCloseTo(31, 9);
    expect(precisions[31] * 10_000).toBeCloseTo(1, 9);
    expect(precisions[32] * 10_000).toBeCloseTo(5, 9);
  });
});
