// Relaxed rows: what they answer, what they are fitted to, and the rows that are drawn from them.
import { describe, expect, it } from "vitest";
import type { Engines } from "../../src/core/engines.js";
import { finished } from "../../src/core/progress.js";
import { openWasmKernels } from "../../src/gradient/wasm-kernels.js";
import { RelaxedModel } from "../../src/models/relaxed.js";
import { type Relaxation, RelaxedRows, randomParameters, startsOf } from "../../src/models/relaxed-rows.js";
import "../../src/node.js";
import { asksForCells, cellAt, codesOfCells } from "../../src/queries/cells.js";
import { cellsOf, queryOf } from "../../src/queries/query.js";
import { TOTAL } from "../../src/queries/total.js";
import { failingKernels } from "../fake-gpu.js";

const ATTRIBUTES = [3, 2, 4].map((size, column) => ({
  ...{ name: `c${column}`, size, tree: false, missing: false, ordered: false },
}));
const [PAIR, ALL] = [
  [0, 2],
  [0, 1, 2],
].map((columns) => queryOf(columns, ATTRIBUTES));
const RELAXATIONS: readonly Relaxation[] = ["softmax", "sparsemax"];
const ROWS = 50;

/** A cell's answer, straight from its definition: the mean over the rows of the product of its codes' shares. */
function answerOf(shares: Float32Array, columns: readonly number[], codes: readonly number[]): number {
  const starts = startsOf(ATTRIBUTES);
  let sum = 0;
  for (let row = 0; row < ROWS; row++)
    sum += columns.reduce((product, column, at) => product * shares[(starts[column] + codes[at]) * ROWS + row], 1);
  return sum / ROWS;
}

describe("cells of a marginal", () => {
  it("are boxes of one code each, in the order of the marginal's answers", () => {
    const codes = codesOfCells(ALL, ATTRIBUTES, 0, 24);
    for (let place = 0; place < cellsOf(ALL, ATTRIBUTES); place++) {
      const cell = cellAt(ALL, place, ATTRIBUTES);
      const [a, b, c] = cell.boxes[0] as number[];
      expect((a * 2 + b) * 4 + c).toBe(place);
      expect([...codes.slice(3 * place, 3 * place + 3)]).toEqual([a, b, c]);
      expect(asksForCells(cell)).toBe(true);
    }
    expect(codesOfCells(ALL, ATTRIBUTES, 5, 9)).toEqual(codes.slice(15, 27));
  });
});

describe.each(RELAXATIONS)("relaxed rows by %s", (relaxation) => {
  const opened = (seed = 1) =>
    new RelaxedRows(openWasmKernels(), ATTRIBUTES, relaxation, ROWS, randomParameters(ATTRIBUTES, ROWS, seed));

  it("have shares of each column's codes that add up to 1, and answer as these say", async () => {
    const rows = opened();
    const shares = await rows.shares();
    for (let row = 0; row < ROWS; row++) {
      const own = shares.filter((_, at) => at % ROWS === row);
      expect(own.every((share) => share >= 0)).toBe(true);
      for (const [from, to] of [
        [0, 3],
        [3, 5],
        [5, 9],
      ])
        expect(own.slice(from, to).reduce((sum, share) => sum + share)).toBeCloseTo(1, 5);
    }
    for (const query of [PAIR, ALL, queryOf([1], ATTRIBUTES)]) {
      const answers = await rows.answers(query);
      expect(answers).toHaveLength(cellsOf(query, ATTRIBUTES));
      for (const [place, answer] of answers.entries()) {
        const codes = cellAt(query, place, ATTRIBUTES).boxes[0] as number[];
        expect(answer).toBeCloseTo(answerOf(shares, query.columns, codes), 6);
      }
      expect(await rows.answers(query)).toEqual(answers);
    }
    rows.close();
  });

  it("start as their seed says", async () => {
    const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => opened(seed).shares()));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it("come closer to cells of any order and to whole marginals", async () => {
    const rows = opened();
    const cells = [3, 22].map((place) => cellAt(ALL, place, ATTRIBUTES));
    rows.aim([
      { queries: cells, fractions: Float32Array.of(0.3, 0.2), weights: Float32Array.of(1, 1) },
      { queries: [queryOf([1], ATTRIBUTES)], fractions: Float32Array.of(0.4, 0.6), weights: Float32Array.of(0.5, 0.5) },
    ]);
    const start = await rows.loss();
    let loss = start;
    for (let step = 0; step < 400; step++) {
      rows.descend(relaxation === "softmax" ? 0.1 : 0.005);
      loss = await rows.loss();
    }
    expect(loss).toBeLessThan(1e-3 * start);
    expect((await rows.answers(cells[0]))[0]).toBeCloseTo(0.3, 2);
    rows.close();
  });

  it("give in to targets by their weights where these contradict each other", async () => {
    const rows = opened();
    const one = cellAt(queryOf([1], ATTRIBUTES), 0, ATTRIBUTES);
    rows.aim([{ queries: [one, one], fractions: Float32Array.of(0.2, 0.8), weights: Float32Array.of(0.25, 0.75) }]);
    for (let step = 0; step < 1000; step++) {
      await rows.loss();
      rows.descend(relaxation === "softmax" ? 0.02 : 0.001);
    }
    expect((await rows.answers(one))[0]).toBeCloseTo(0.65, 2);
    rows.close();
  });
});

describe("the model", () => {
  const settings = { relaxation: "softmax" as const, rows: ROWS, steps: 2000, rate: 0.1 };
  const truth = Array.from({ length: 12 }, (_, cell) => 20 * (cell % 5));
  const total = truth.reduce((sum, count) => sum + count);
  const measurements = [
    { query: TOTAL, answers: Int32Array.of(total), sigma2: 1 },
    { query: PAIR, answers: Int32Array.from(truth), sigma2: 1 },
  ];
  const fitted = async (model = new RelaxedModel(ATTRIBUTES, settings), seed = 3) => {
    const result = await finished(model.fit({ measurements, total, adaptive: true }, { rows: 10_000, seed }), {});
    return { model, result };
  };

  it("ends where the noise is, answers in counts, and draws rows that answer alike", async () => {
    const { model, result } = await fitted();
    expect(result.loss).toBeLessThanOrEqual((12 * ROWS ** 2) / total ** 2);
    expect(result.startLoss).toBeGreaterThan(20 * result.loss);
    expect(result.stop).toMatch(/after \d+ steps: the squared error is no larger than the noise/);
    const [counts] = await model.answers([PAIR]);
    for (const [cell, count] of counts.entries()) expect(Math.abs(count - truth[cell])).toBeLessThan(6);
    const [one, other] = await finished(model.tables(2), {});
    expect(one.codes.map((column) => column.length)).toEqual([10_000, 10_000, 10_000]);
    expect(other.codes).not.toEqual(one.codes);
    const found = truth.map(() => 0);
    for (let row = 0; row < 10_000; row++) found[4 * one.codes[0][row] + one.codes[2][row]] += total / 10_000;
    for (const [cell, count] of found.entries()) expect(Math.abs(count - counts[cell])).toBeLessThan(12);
    expect((await fitted()).result).toEqual(result);
    model.close();
  });

  it("goes on where the last fit ended", async () => {
    const { model, result } = await fitted();
    const again = await fitted(model);
    expect(again.result.startLoss).toBeCloseTo(result.loss, 6);
    expect(again.result.steps).toBe(0);
    model.close();
  });

  it("finds the same if a GPU is lost at any moment, and says where it went on", async () => {
    const ask = async (engines?: Engines) => {
      const { model, result } = await fitted(new RelaxedModel(ATTRIBUTES, { ...settings, steps: 3 }, engines));
      const [answers] = await model.answers([PAIR]);
      const tables = await finished(model.tables(1), {});
      model.close();
      return { result, answers, tables };
    };
    const alone = await ask();
    const whole = failingKernels(Infinity);
    expect(await ask(whole.engines)).toEqual(alone);
    expect(whole.engines.uses).toMatchObject([{ kernel: "product-queries", engine: "webgpu" }]);
    expect(whole.counted.readings).toBeGreaterThan(6);
    for (let at = 0; at < whole.counted.readings; at++) {
      const { engines, counted } = failingKernels(at);
      expect(await ask(engines), `reading ${at}`).toEqual(alone);
      expect(counted.open).toBe(0);
      expect(engines.uses).toMatchObject([{ kernel: "product-queries", engine: "wasm", why: /bus/ }]);
    }
  });

  it("leaves other errors alone", async () => {
    const { engines } = failingKernels(Infinity);
    const { model } = await fitted(new RelaxedModel(ATTRIBUTES, settings, engines));
    await expect(model.answers([{ kind: "marginal", columns: [7] }])).rejects.toThrow(TypeError);
    expect(engines.uses).toMatchObject([{ engine: "webgpu" }]);
    model.close();
  });

  it("stops at its limit of steps, and says so", async () => {
    const { result } = await fitted(new RelaxedModel(ATTRIBUTES, { ...settings, steps: 2 }));
    expect(result).toMatchObject({ steps: 2, stop: expect.stringContaining("all that its settings allow") });
  });

  it("refuses what it cannot answer", async () => {
    const groups = { query: { ...PAIR, groups: [null, [0, 0, 1, 1]] }, answers: new Int32Array(6), sigma2: 1 };
    const model = new RelaxedModel(ATTRIBUTES, settings);
    const fit = finished(model.fit({ measurements: [groups], total, adaptive: false }, { rows: 1, seed: 1 }), {});
    await expect(fit).rejects.toMatchObject({ code: "workload/not-marginals" });
  });
});
