// Queries as products of shares and sigmoids: what they tend to, their slopes, and the rows that are fitted to them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finished } from "../../src/core/progress.js";
import { type Attribute, valuesOf } from "../../src/domain/attribute.js";
import { openWasmKernels } from "../../src/gradient/wasm-kernels.js";
import { AnnealedModel } from "../../src/models/annealed.js";
import { firstShares } from "../../src/models/first-shares.js";
import {
  expectSmooth,
  type Lines,
  linesOf,
  type Sigmoids,
  SmoothQueries,
  smoothColumns,
} from "../../src/models/smooth-queries.js";
import { SmoothRows } from "../../src/models/smooth-rows.js";
import "../../src/node.js";
import { cellsOf, type Query, queryOf } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import type { RandomPrefixes } from "../../src/queries/random-prefixes.js";
import type { Ranges } from "../../src/queries/ranges.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { attribute, columnsOf, halfSpacesAmong, named, queryAmong, rangesAmong } from "../random-tables.js";
import { sparsemax } from "../reference/sparsemax.js";
import { uniforms } from "../reference/statistics.js";

type Numbers = ArrayLike<number>;

/** The lines of relaxed rows that are rows of codes. */
function sharesOf(attributes: readonly Attribute[], { starts, count }: Lines, codes: readonly Uint16Array[]) {
  const rows = codes[0].length;
  const shares = new Float32Array(count * rows);
  for (const [column, attribute] of attributes.entries()) {
    const values = valuesOf(attribute);
    for (const [row, code] of codes[column].entries()) {
      const put = (line: number, share: number) => {
        shares[(starts[column] + line) * rows + row] = share;
      };
      if (!attribute.ordered) put(code, 1);
      else if (code === values) put(2, 1);
      else for (const [line, share] of [code / values, 1 - code / values].entries()) put(line, share);
    }
  }
  return shares;
}

/** How far the sum of each sigmoid is below its threshold, row by row. */
function marginsOf({ thresholds, coefficients, inner }: Sigmoids, x: Numbers, rows: number): number[][] {
  return Array.from(thresholds, (threshold, at) =>
    Array.from({ length: rows }, (_, row) => {
      let sum = 0;
      for (let line = 0; line < inner; line++) sum += coefficients[at * inner + line] * x[line * rows + row];
      return threshold - sum;
    }),
  );
}

/** The mean product of each list of lines, where sigmoids are functions of their margins. */
function answersOf(
  lists: readonly (readonly number[])[],
  { count }: Lines,
  margins: readonly (readonly number[])[],
  x: Numbers,
  rows: number,
  sigmoid: (margin: number) => number,
): number[] {
  const at = (line: number, row: number) => (line < count ? x[line * rows + row] : sigmoid(margins[line - count][row]));
  return lists.map((lines) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += lines.reduce((product, line) => product * at(line, row), 1);
    return sum / rows;
  });
}

const hasRanges = (attributes: readonly Attribute[]) => (query: Query) =>
  query.kind !== "ranges" ||
  (query as unknown as { boxes: unknown[][] }).boxes.every((box) =>
    box.every((side, at) => !Array.isArray(side) || attributes[query.columns[at]].ordered),
  );

const problem = fc
  .array(attribute(6), { minLength: 1, maxLength: 4 })
  .map(named)
  .chain((attributes) =>
    fc.record({
      attributes: fc.constant(attributes),
      query: fc.oneof(
        queryAmong(attributes, 2),
        rangesAmong(attributes, 3).filter(hasRanges(attributes)),
        halfSpacesAmong(attributes, 40),
      ),
      codes: columnsOf(attributes, 30),
    }),
  );

describe("queries as products", () => {
  it("tend to the engine's counts as sigmoids become steeper", () => {
    fc.assert(
      fc.property(problem, ({ attributes, query, codes }) => {
        fc.pre(cellsOf(query, attributes) < 3000);
        const lines = linesOf(attributes);
        const queries = new SmoothQueries(attributes, lines);
        const lists = queries.factorsOf(query);
        const x = sharesOf(attributes, lines, codes);
        const margins = marginsOf(queries.sigmoids(), x, 30);
        const found = answersOf(lists, lines, margins, x, 30, (margin) => Number(margin > 0));
        const wanted = RowAnswers.ofCodes(attributes, codes).of(query);
        expect(found).toHaveLength(wanted.length);
        // The engine rounds each column's part of a half-space's sum to a unit of 2^−11 or less.
        const near = query.kind === "random-half-spaces" ? (query.columns.length + 1) * 2 ** -10 : 1e-7;
        for (const [at, answer] of found.entries()) {
          const margin = lists[at].filter((line) => line >= lines.count).map((line) => margins[line - lines.count]);
          const unsure = codes[0].filter((_, row) => margin.some((own) => Math.abs(own[row]) < near)).length;
          expect(Math.abs(30 * answer - wanted[at])).toBeLessThan(unsure + 1e-3);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("without a half-space, no sum is near its threshold", () => {
    const attributes = named([{ name: "", size: 33, tree: true, missing: true, ordered: true, fine: 65_534 }]);
    const queries = new SmoothQueries(attributes, linesOf(attributes));
    queries.factorsOf({ kind: "ranges", columns: [0], boxes: [[[2 ** 31, 2 ** 31 + 1e6]], [[0, 2 ** 32]]] } as Query);
    const codes = [Uint16Array.from({ length: 65_535 }, (_, code) => code)];
    const margins = marginsOf(queries.sigmoids(), sharesOf(attributes, linesOf(attributes), codes), 65_535);
    for (const own of margins) expect(Math.min(...own.map(Math.abs))).toBeGreaterThan(0.4 / 65_534);
  });
});

/** Two numeric columns, one of which may be missing, and a label. */
const ATTRIBUTES: readonly Attribute[] = named([
  { name: "", size: 3, tree: false, missing: false, ordered: false },
  { name: "", size: 50, tree: false, missing: false, ordered: true },
  { name: "", size: 21, tree: false, missing: true, ordered: true },
]);
const COLUMNS = [0, 1, 2];
const DRAWING = { count: 30, seed: 1, side: "below", strict: true } as const;
const PREFIXES: RandomPrefixes = {
  ...{ kind: "random-prefixes", columns: COLUMNS, ...DRAWING },
  ...{ categories: 1, thresholds: 2, each: false, distinct: true },
};
const HALF_SPACES: RandomHalfSpaces = {
  ...{ kind: "random-half-spaces", columns: COLUMNS, ...DRAWING },
  ...{ labels: ["column 0"], each: true },
};

it("columns whose values nothing compares have shares of their codes, unless they are trees", () => {
  const tree = { name: "tree", size: 32, tree: true, missing: false, ordered: true };
  const attributes = [...ATTRIBUTES, tree];
  const ordered = (queries: readonly Query[]) => smoothColumns(attributes, queries).map((column) => column.ordered);
  const pairs = [queryOf([0, 1], attributes), queryOf([1, 2], attributes)];
  expect(ordered(pairs)).toEqual([false, false, false, true]);
  expect(ordered([...pairs, { ...PREFIXES, columns: [0, 1] } as Query])).toEqual([false, true, false, true]);
  expect(ordered([HALF_SPACES])).toEqual([false, true, true, true]);
});

it("a step goes down the slope of the loss, as finite differences have it", async () => {
  const [rows, scale, rate] = [3, 4, 1e-3];
  const lines = linesOf(ATTRIBUTES);
  const uniform = uniforms(5);
  const start = Float32Array.from({ length: lines.count * rows }, () => 0.05 + uniform());
  const blocks = [...lines.blocks];
  const x = Float32Array.from(sparsemax(start, blocks, rows));
  const queries = new SmoothQueries(ATTRIBUTES, lines);
  const lists = [...queries.factorsOf(PREFIXES), ...queries.factorsOf(HALF_SPACES)];
  const fractions = Float32Array.from(lists, () => uniform());
  const weights = Float32Array.from(lists, () => uniform());
  const orders = [...new Set(lists.map((list) => list.length))];
  const products = orders.map((order) => {
    const own = lists.flatMap((list, at) => (list.length === order ? at : []));
    const pick = (numbers: Float32Array) => Float32Array.from(own, (at) => numbers[at]);
    const flat = Uint32Array.from(own.flatMap((at) => lists[at]));
    return { lines: flat, order, fractions: pick(fractions), weights: pick(weights) };
  });
  const sigmoids = queries.sigmoids();
  const smooth = new SmoothRows(openWasmKernels(), lines, rows, x, { products, sigmoids });

  const lossOf = (numbers: Numbers) => {
    const steep = (margin: number) => 1 / (1 + Math.exp(-scale * margin));
    const answers = answersOf(lists, lines, marginsOf(sigmoids, numbers, rows), numbers, rows, steep);
    return answers.reduce((sum, answer, at) => sum + weights[at] * (answer - fractions[at]) ** 2, 0);
  };
  expect(await smooth.loss(scale)).toBeCloseTo(lossOf(x), 5);
  smooth.descend(rate, scale);

  // The first step of Adam goes as far along every number that has a slope, whatever it is.
  const step = 1e-4;
  const changed = Array.from(x, (number, at) => {
    const by = (change: number) => lossOf(Array.from(x, (other, place) => (place === at ? number + change : other)));
    const slope = (by(step) - by(-step)) / (2 * step);
    expect(slope === 0 || Math.abs(slope) > 1e-6).toBe(true);
    return number - rate * Math.sign(slope);
  });
  const wanted = sparsemax(changed, blocks, rows);
  for (const [at, share] of (await smooth.shares()).entries()) expect(share).toBeCloseTo(wanted[at], 5);
});

describe("the model", () => {
  const SETTINGS = { rows: 100, steepness: 32, stages: 9, steps: 200, rate: 0.03 };
  const uniform = uniforms(9);
  const codes = [3, 50, 21].map((size) => Uint16Array.from({ length: 2000 }, () => Math.floor(size * uniform() ** 2)));
  const real = RowAnswers.ofCodes(ATTRIBUTES, codes);
  const measurements = [queryOf([0], ATTRIBUTES), queryOf([1], ATTRIBUTES), PREFIXES, HALF_SPACES].map((query) => ({
    ...{ query, answers: real.of(query), sigma2: 400 },
  }));
  const fitted = async (model = new AnnealedModel(ATTRIBUTES, SETTINGS)) => {
    const observed = { measurements, total: 2000, adaptive: true };
    return { model, result: await finished(model.fit(observed, { rows: 10_000, seed: 3 }), {}) };
  };

  it("comes close to prefixes, half-spaces and marginals, and draws rows that answer alike", async () => {
    const { model, result } = await fitted();
    expect(result.startLoss).toBeGreaterThan(5 * result.loss);
    expect(result.stop).toContain("no larger than the noise");
    const queries = measurements.map(({ query }) => query);
    const [table] = await finished(model.tables(1), {});
    expect(table.codes.map((column) => column.length)).toEqual([10_000, 10_000, 10_000]);
    const drawn = RowAnswers.ofCodes(ATTRIBUTES, table.codes);
    for (const [at, counts] of (await model.answers(queries)).entries()) {
      const { query, answers } = measurements[at];
      const errors = Array.from(answers, (answer, cell) => Math.abs(answer - counts[cell]));
      expect(errors.reduce((sum, error) => sum + error) / errors.length).toBeLessThan(60);
      const rows = drawn.of(query);
      for (const [cell, count] of counts.entries()) expect(Math.abs(count - rows[cell] / 5)).toBeLessThan(120);
    }
  });

  it("finds values that start anywhere, whatever sigmoids of its first scale can see", async () => {
    const one: Attribute[] = [{ name: "v", size: 1000, tree: false, missing: false, ordered: true }];
    const boxes = [490, 500, 510].map((code) => [[0, (code / 1000) * 2 ** 32] as const]);
    const query: Ranges = { kind: "ranges", columns: [0], boxes };
    const below = { query, answers: Int32Array.of(0, 1000, 1000), sigma2: 0.01 };
    const model = new AnnealedModel(one, { ...SETTINGS, steepness: 64 });
    await finished(model.fit({ measurements: [below], total: 1000, adaptive: false }, { rows: 1000, seed: 1 }), {});
    const [{ codes: made }] = await finished(model.tables(1), {});
    for (const code of made[0]) expect(Math.abs(code - 494.5)).toBeLessThan(10);
  });

  it("starts as the one-ways say, and elsewhere from uniform shares", () => {
    const lines = linesOf(ATTRIBUTES);
    const known = [
      measurements[0],
      { query: queryOf([2], ATTRIBUTES), answers: real.of(queryOf([2], ATTRIBUTES)), sigma2: 1 },
    ];
    const shares = firstShares(ATTRIBUTES, lines, 1000, 7, { measurements: known, total: 2000 });
    const meanOf = (line: number) =>
      shares.subarray(line * 1000, (line + 1) * 1000).reduce((sum, share) => sum + share) / 1000;
    for (const [code, count] of known[0].answers.entries())
      expect(meanOf(lines.starts[0] + code)).toBeCloseTo(count / 2000, 2);
    expect(meanOf(lines.starts[1])).toBeCloseTo(0.5, 2);
    expect(meanOf(lines.starts[2] + 2)).toBeCloseTo(known[1].answers[20] / 2000, 2);
    const value = codes[2].reduce((sum, code) => sum + (code < 20 ? (code + 0.5) / 20 : 0), 0) / 2000;
    expect(meanOf(lines.starts[2])).toBeCloseTo(value, 2);
    for (let row = 0; row < 1000; row++)
      for (const [block, start] of lines.blocks.subarray(0, -1).entries()) {
        let sum = 0;
        for (let line = start; line < lines.blocks[block + 1]; line++) sum += shares[line * 1000 + row];
        expect(sum).toBeCloseTo(1, 5);
      }
  });

  it("starts with few rows in cells that have nothing but noise", () => {
    const query = queryOf([1], ATTRIBUTES);
    const answers = Int32Array.from({ length: 50 }, (_, code) =>
      code === 3 || code === 7 ? 1000 : -100 * (-1) ** code,
    );
    const known = { measurements: [{ query, answers, sigma2: 10_000 }], total: 2000 };
    const lines = linesOf(ATTRIBUTES);
    const values = firstShares(ATTRIBUTES, lines, 1000, 7, known)
      .subarray(lines.starts[1] * 1000)
      .subarray(0, 1000);
    const real = values.filter((value) => [3, 7].includes(Math.floor(50 * value)));
    expect(real.length).toBeGreaterThan(850);
  });

  it("does the same again, and goes on where the last fit ended", async () => {
    const { model, result } = await fitted();
    expect((await fitted()).result).toEqual(result);
    const again = (await fitted(model)).result;
    expect(again.startLoss).toBeCloseTo(result.loss, 3);
    expect(again.steps).toBe(0);
  });

  it.each(["expression", "marginal"])("refuses what is not smooth: %s", (kind) => {
    const query = { kind, columns: [0], ...(kind === "marginal" && { groups: [[0, 0, 1]] }) } as Query;
    expect(() => expectSmooth([query])).toThrow(expect.objectContaining({ code: "workload/not-smooth" }));
  });
});
