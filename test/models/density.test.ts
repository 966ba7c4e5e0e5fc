// Explicit densities: what they answer after a fit, and the rows that follow them, against plain lists of points.
import { describe, expect, it } from "vitest";
import { finished } from "../../src/core/progress.js";
import { STREAM_DENSITY } from "../../src/engine/layout.js";
import { DensityModel, type DensityUpdates } from "../../src/models/density.js";
import { domainParts } from "../../src/models/domain-parts.js";
import "../../src/node.js";
import { cellAt } from "../../src/queries/cells.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { type Query, queryOf } from "../../src/queries/query.js";
import { projectEntropy, projectOne } from "../reference/entropy-projection.js";
import { multiplyWeights } from "../reference/multiplicative-weights.js";
import { shrunkAnswers } from "../reference/shrunk-answers.js";
import { allPoints, answers, type Density, givenPoints, type Measured } from "../reference/weights.js";

/** The third has one code, and the last is in no query. */
const SIZES = [3, 4, 1, 2, 5, 2];
const ATTRIBUTES = SIZES.map((size, column) => ({ name: `c${column}`, size, tree: false, missing: false }));
const query = (...columns: number[]) => queryOf(columns, ATTRIBUTES);
const WORKLOAD = [query(0, 1, 2), query(1, 3), query(0, 3), query(4)];
const TOTAL = 1000;
const SIGMA2 = 16;
const OPTIONS = { rows: 4000, seed: 5 };

const told = (query: Query, answers: readonly number[]): Measurement => ({
  query,
  answers: Int32Array.from(answers),
  sigma2: SIGMA2,
});

/** One-ways, a pair, and a cell, none of which can all be true. */
const ONE_WAYS = [told(query(0), [500, 300, 200]), told(query(4), [100, 200, 300, 400, 0])];
const LATER = [
  told(query(1, 3), [200, 10, 150, 40, 300, 0, 120, 180]),
  told(cellAt(query(0, 1, 2), 5, ATTRIBUTES), [210]),
  told(query(0, 3), [260, 240, 100, 200, 150, 50]),
];
const ALL = [...ONE_WAYS, ...LATER];

const UPDATES: Record<string, DensityUpdates> = {
  multiplicative: { method: "multiplicative", past: true, repeats: 3, slack: 1 },
  entropy: { method: "entropy", corrections: 25, slack: 1 },
};

async function fitted(updates: DensityUpdates, parts: readonly (readonly Measurement[])[], input = {}) {
  const model = new DensityModel(
    { attributes: ATTRIBUTES, workload: WORKLOAD, ...input },
    { updates, iterate: "last" },
  );
  for (const measurements of parts)
    await finished(model.fit({ measurements, total: TOTAL, adaptive: true }, OPTIONS), {});
  return model;
}

/** The density of one part, by definition. */
function expected(updates: DensityUpdates, density: Density, columns: readonly number[]): Density {
  const deviation = Math.sqrt(SIGMA2) / TOTAL;
  const { slack } = updates;
  const measured: Measured[] = [];
  for (const { query, answers } of ALL) {
    if (!columns.includes(query.columns[0])) continue;
    const axes = query.columns.map((column) => columns.indexOf(column));
    const targets = Array.from(answers, (answer) => answer / TOTAL);
    const sum = targets.reduce((total, target) => total + target, 0);
    // All whole marginals here add up to 1 already.
    const own = { axes, targets, slack: (slack ?? 0) * deviation, ...(query.kind === "ranges" && { cell: 5 }) };
    measured.push(slack === undefined ? { ...own, targets: shrunkAnswers(density, own, TOTAL, deviation ** 2) } : own);
    if (query.kind !== "ranges") expect(sum).toBeCloseTo(1, 12);
    if (axes.length === 1) projectOne(density, measured[measured.length - 1]);
    else if (updates.method === "entropy") projectEntropy(density, measured, Math.min(25, 2 * measured.length), 1e-12);
    else multiplyWeights(density, measured, true, updates.repeats, OPTIONS.seed, STREAM_DENSITY);
    // Later updates may leave it by as much as its noise.
    if (slack === undefined) measured.push({ ...measured.pop()!, slack: deviation });
  }
  return density;
}

describe.each(Object.entries(UPDATES))("a density with %s updates", (_, updates) => {
  it("answers as a plain list of points does that follows the same", async () => {
    const model = await fitted(updates, [ALL]);
    const found = await model.answers(WORKLOAD);
    const plain = expected(updates, allPoints([3, 4, 1, 2]), [0, 1, 2, 3]);
    const axes = [
      [0, 1, 2],
      [1, 3],
      [0, 3],
    ];
    for (const [at, own] of axes.entries())
      expect([...found[at]]).toEqual(answers(plain, own).map((part) => Math.round(part * TOTAL)));
    const other = expected(updates, allPoints([5]), [4]);
    expect([...found[3]]).toEqual(answers(other, [0]).map((part) => Math.round(part * TOTAL)));
  });

  it("is the same whether it was fitted at once or bit by bit, and follows its workload or what was measured", async () => {
    const at = await (await fitted(updates, [ALL])).answers([WORKLOAD[1]]);
    const bits = ALL.map((_, count) => ALL.slice(0, count + 1));
    expect(await (await fitted(updates, bits)).answers([WORKLOAD[1]])).toEqual(at);
    expect(await (await fitted(updates, [ALL], { workload: undefined })).answers([WORKLOAD[1]])).toEqual(at);
    // Another history is no part of this one.
    const changed = [[told(query(0), [1, 2, 997])], ALL];
    expect(await (await fitted(updates, changed)).answers([WORKLOAD[1]])).toEqual(at);
  });

  it("makes rows that answer as it does, with independent parts", async () => {
    const model = await fitted(updates, [ALL]);
    const [pair, one] = await model.answers([WORKLOAD[1], WORKLOAD[3]]);
    const tables = [...(await finished(model.tables(2), {}))];
    expect(tables.map(({ seed }) => seed)).toEqual([5, 6]);
    expect(tables[0].codes).not.toEqual(tables[1].codes);
    const { codes } = tables[0];
    expect(codes.map(({ length }) => length)).toEqual(SIZES.map(() => OPTIONS.rows));
    const counts = new Map<string, number>();
    const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (let row = 0; row < OPTIONS.rows; row++) {
      count(`pair ${2 * codes[1][row] + codes[3][row]}`);
      count(`one ${codes[4][row]}`);
      count(`both ${codes[1][row]} ${codes[4][row]}`);
      count(`left out ${codes[5][row]}`);
    }
    const scale = OPTIONS.rows / TOTAL;
    // A cell has several points, each of which is rounded.
    for (const [cell, answer] of pair.entries())
      expect(Math.abs((counts.get(`pair ${cell}`) ?? 0) - scale * answer)).toBeLessThan(10);
    for (const [code, answer] of one.entries())
      expect(Math.abs((counts.get(`one ${code}`) ?? 0) - scale * answer)).toBeLessThan(4);
    expect(counts.get("left out 0")).toBe(OPTIONS.rows / 2);
    for (const code of SIZES.keys()) {
      const chance = (scale * (pair[0] + pair[1]) * one[code]) / TOTAL;
      if (one[code]) expect(Math.abs(counts.get(`both 0 ${code}`)! - chance)).toBeLessThan(5 * Math.sqrt(chance));
    }
  });

  it("over public rows, has no other rows", async () => {
    const points = Array.from({ length: 40 }, (_, row) => SIZES.map((size, column) => (row * (column + 1)) % size));
    const codes = SIZES.map((_, column) => Uint16Array.from(points, (point) => point[column]));
    const publicTable = { codes, rows: points.length, fingerprint: "0".repeat(16) };
    const shrinking = { ...updates, slack: undefined };
    const model = await fitted(shrinking, [ALL], { publicTable });
    const plain = expected(shrinking, givenPoints(SIZES, points), [...SIZES.keys()]);
    const [found] = await model.answers([WORKLOAD[1]]);
    expect([...found]).toEqual(answers(plain, [1, 3]).map((part) => Math.round(part * TOTAL)));
    const [made] = await finished(model.tables(1), {});
    const known = new Set(points.map(String));
    for (let row = 0; row < OPTIONS.rows; row++)
      expect(known).toContain(String(made.codes.map((column) => column[row])));
  });
});

it("knows the parts of a domain that queries connect", () => {
  expect(domainParts(ATTRIBUTES, WORKLOAD)).toEqual([
    { columns: [0, 1, 2, 3], points: 24 },
    { columns: [4], points: 5 },
    { columns: [5], points: 2 },
  ]);
});
