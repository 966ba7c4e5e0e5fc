// The order of rows carries no information: for the same rows in any other order, every figure here would have the same
// law.
import { describe, expect, it } from "vitest";
import { measure, parseCsv, parseSchema, plan, resample, toCsv } from "../../src/index.js";
import { key } from "../frame/people.js";
import { ALPHA, correlationScore, sameLaw, uniforms } from "../reference/statistics.js";

const ROWS = 2000;
const PERMUTATIONS = 400;
/**
 * Fewer than one seed in 10^7 lies beyond this many standard deviations, even if their estimate from this many
 * permutations is a tenth too small.
 */
const BOUND = 6;

const codes = (name: string, size: number) => ({
  name,
  type: "string",
  constraints: { enum: Array.from({ length: size }, (_, code) => `${name}${code}`), required: true },
});
const schema = parseSchema({
  fields: [
    ...[codes("a", 2), codes("b", 5), codes("c", 7)],
    { name: "n", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
  ],
});

/** Columns that follow one hidden number, sorted by it, so the real rows' own order reveals a lot. */
const real = (() => {
  const uniform = uniforms(3);
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const leans = (size: number) => Math.floor(size * (uniform() < 0.7 ? row / ROWS : uniform()));
    return `a${leans(2)},b${leans(5)},c${leans(7)},${uniform() < 0.1 ? "" : leans(10_000)}`;
  });
  return `a,b,c,n\n${rows.join("\n")}\n`;
})();

const cellsOf = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));

const permuted = <Row>(rows: readonly Row[], uniform: () => number): Row[] =>
  rows
    .map((row) => ({ row, at: uniform() }))
    .sort((one, other) => one.at - other.at)
    .map(({ row }) => row);

/** The number of equal cells of neighbouring rows, in standard deviations from its value in random order. */
function likenessOfNeighbours(rows: readonly string[][]): number {
  const alike = (order: readonly string[][]) =>
    order.slice(1).reduce((sum, row, at) => sum + row.filter((cell, column) => cell === order[at][column]).length, 0);
  const uniform = uniforms(1);
  const others = Array.from({ length: PERMUTATIONS }, () => alike(permuted(rows, uniform)));
  const mean = others.reduce((sum, other) => sum + other, 0) / PERMUTATIONS;
  const variance = others.reduce((sum, other) => sum + (other - mean) ** 2, 0) / (PERMUTATIONS - 1);
  return (alike(rows) - mean) / Math.sqrt(variance);
}

/** A column's cells as numbers, in the order of their texts. */
function ranks(rows: readonly string[][], column: number): number[] {
  const texts = [...new Set(rows.map((row) => row[column]))].sort();
  const rank = new Map(texts.map((text, at) => [text, at]));
  return rows.map((row) => rank.get(row[column])!);
}

/** How often each combination of the three categories occurs in some rows. */
const triples = (rows: readonly string[][]): number[] => {
  const counts = new Array(2 * 5 * 7).fill(0);
  for (const [a, b, c] of rows) counts[(Number(a.slice(1)) * 5 + Number(b.slice(1))) * 7 + Number(c.slice(1))]++;
  return counts;
};

/**
 * What an order could carry: the largest score against the rows' numbers, the score of neighbours, and the p-value of
 * two halves.
 */
const carried = (csv: string) => {
  const rows = cellsOf(csv);
  const numbers = [...rows.keys()];
  const evens = rows.filter((_, row) => row % 2);
  return {
    trend: Math.max(...[0, 1, 2, 3].map((column) => Math.abs(correlationScore(numbers, ranks(rows, column))))),
    neighbours: Math.abs(likenessOfNeighbours(rows)),
    halves: sameLaw(triples(rows.slice(0, ROWS / 2)), triples(rows.slice(ROWS / 2))),
    evens: sameLaw(triples(evens), triples(rows.filter((_, row) => row % 2 === 0))),
  };
};

describe.each([
  ["descent", { method: "descent" }],
  ["the paper's search", { method: "paper", generations: 40_000 }],
])("rows of %s, as written to CSV", (_, search) => {
  it.each(["1-way", "2-way"] as const)("after %s tables were measured", async (workload) => {
    const planned = plan(schema, {
      epsilon: 10,
      workload,
      search,
      ...(search.method === "paper" ? {} : { stages: 1 }),
    });
    const release = await measure(parseCsv(real, schema), planned, { rows: ROWS, seed: 11, unsafeNoiseKey: key(1) });
    const { trend, neighbours, halves, evens } = carried(toCsv((await resample(release)).table));
    expect(trend).toBeLessThan(BOUND);
    expect(neighbours).toBeLessThan(BOUND);
    expect(halves).toBeGreaterThan(ALPHA);
    expect(evens).toBeGreaterThan(ALPHA);
  });
});

describe("an order that carries something is found", () => {
  const inOrder = (order: (rows: string[][]) => string[][]) =>
    carried(
      `a,b,c,n\n${order(cellsOf(real))
        .map((row) => row.join())
        .join("\n")}\n`,
    );
  const shuffled = (rows: string[][]) => permuted(rows, uniforms(5));

  it("that of the real rows, by all figures except even and odd rows", () => {
    const { trend, neighbours, halves } = inOrder((rows) => rows);
    expect(trend).toBeGreaterThan(BOUND);
    expect(neighbours).toBeGreaterThan(BOUND);
    expect(halves).toBeLessThan(ALPHA);
  });

  it("similar rows next to each other, by their neighbours", () => {
    // Pairs of equal categories, the pairs in random order.
    const paired = (rows: string[][]) => {
      const sorted = rows.toSorted();
      return shuffled(sorted.filter((_, row) => row % 2)).flatMap((row) => [row, sorted[sorted.indexOf(row) - 1]]);
    };
    expect(inOrder(paired).neighbours).toBeGreaterThan(BOUND);
  });

  it("two alternating kinds, by even and odd rows", () => {
    const inTurn = (rows: string[][]) => {
      const sorted = rows.toSorted();
      const [low, high] = [shuffled(sorted.slice(0, ROWS / 2)), shuffled(sorted.slice(ROWS / 2))];
      return low.flatMap((row, at) => [row, high[at]]);
    };
    expect(inOrder(inTurn).evens).toBeLessThan(ALPHA);
  });

  it("and nothing is found in a random one", () => {
    const { trend, neighbours, halves, evens } = inOrder(shuffled);
    expect(Math.max(trend, neighbours)).toBeLessThan(BOUND);
    expect(Math.min(halves, evens)).toBeGreaterThan(ALPHA);
  });
});
