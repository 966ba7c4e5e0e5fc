import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { Estimates } from "../../src/estimate/estimates.js";
import { dependenceForest } from "../../src/estimate/forest.js";
import { queryOf } from "../../src/queries/query.js";
import { answers } from "../reference/marginal.js";
import { uniforms } from "../reference/statistics.js";

const column = (size: number, tree = false): Attribute => ({ name: "c", size, tree, missing: false });
const pairsAmong = (count: number) =>
  Array.from({ length: count }, (_, a) => Array.from({ length: count - a - 1 }, (_, b) => [a, a + 1 + b])).flat();

/** Columns that each follow one hidden number, later ones less closely. */
function tableOf(attributes: readonly Attribute[], rows: number, seed: number): Uint16Array[] {
  const uniform = uniforms(seed);
  const hidden = Array.from({ length: rows }, uniform);
  return attributes.map(({ size }, at) =>
    Uint16Array.from(hidden, (x) => Math.floor(size * (uniform() < 0.9 - 0.15 * at ? x : uniform()))),
  );
}

/** The forest of the exact answers to some sets of columns. */
function forestOf(attributes: readonly Attribute[], codes: readonly Uint16Array[], sets: readonly number[][]) {
  const queries = sets.map((columns) => queryOf(columns, attributes));
  const measurements = queries.map((query) => ({ query, answers: answers(query, attributes, codes), sigma2: 1e-6 }));
  return dependenceForest(new Estimates(measurements, attributes, codes[0].length), queries);
}

const edgesOf = (forest: ReturnType<typeof forestOf>) =>
  forest.flatMap(({ column, parent }) => (parent === undefined ? [] : [[parent, column].sort((a, b) => a - b)]));

/** Σ |count − the count expected of independent columns|, from the table itself. */
function interaction(attributes: readonly Attribute[], codes: readonly Uint16Array[], [a, b]: number[]): number {
  const counts = (columns: number[]) => answers({ kind: "marginal", columns }, attributes, codes);
  const [p, q, both] = [counts([a]), counts([b]), counts([a, b])];
  return both.reduce(
    (sum, count, cell) =>
      sum + Math.abs(count - (p[Math.floor(cell / q.length)] * q[cell % q.length]) / codes[0].length),
    0,
  );
}

const isForest = (edges: readonly number[][], columns: number) => {
  const tree = Array.from({ length: columns }, (_, at) => at);
  return edges.every(([a, b]) => {
    const [from, to] = [tree[a], tree[b]];
    for (const [at, root] of tree.entries()) if (root === from) tree[at] = to;
    return from !== to;
  });
};

describe("dependenceForest", () => {
  it("has every column once, each after the one it depends on, and the largest interaction of all forests", () => {
    const sizes = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (list, seed, missing) => {
        const attributes = list.map((size) => column(size));
        const codes = tableOf(attributes, 60, seed);
        const measured = pairsAmong(list.length).filter((_, at) => !((missing >> at) & 1));
        const forest = forestOf(attributes, codes, measured);
        expect(forest.map((one) => one.column).sort()).toEqual([...list.keys()]);
        for (const [at, { parent }] of forest.entries())
          if (parent !== undefined) expect(forest.slice(0, at).some((before) => before.column === parent)).toBe(true);
        const strength = (edges: readonly number[][]) =>
          edges.reduce((sum, edge) => sum + interaction(attributes, codes, edge), 0);
        let most = 0;
        for (let subset = 0; subset < 1 << measured.length; subset++) {
          const edges = measured.filter((_, at) => (subset >> at) & 1);
          if (isForest(edges, list.length) && edges.every((edge) => strength([edge]) >= 1))
            most = Math.max(most, strength(edges));
        }
        expect(isForest(edgesOf(forest), list.length)).toBe(true);
        expect(strength(edgesOf(forest))).toBeCloseTo(most, 2);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it("weighs a column's codes by their counts for each code of the parent, in either direction", () => {
    const attributes = [column(3), column(2), column(4)];
    const codes = tableOf(attributes, 300, 4);
    const sets = [
      [0, 1],
      [1, 2],
    ];
    const forest = forestOf(attributes, codes, sets);
    expect(forest.map(({ column, parent }) => [column, parent])).toEqual([
      [0, undefined],
      [1, 0],
      [2, 1],
    ]);
    const exact = (columns: number[]) => [...answers(queryOf(columns, attributes), attributes, codes)];
    const close = (counts: number[]) => counts.map((count) => expect.closeTo(count, 1));
    for (const [at, columns] of [[0], [0, 1], [1, 2]].entries())
      expect([...forest[at].weights]).toEqual(close(exact(columns)));
    // The same edges seen from the other end: columns 2 and 1 trade places.
    const swapped = [attributes[0], attributes[2], attributes[1]];
    const back = forestOf(
      swapped,
      [codes[0], codes[2], codes[1]],
      [
        [0, 2],
        [1, 2],
      ],
    );
    expect(back.map(({ column, parent }) => [column, parent])).toEqual([
      [0, undefined],
      [2, 0],
      [1, 2],
    ]);
    expect([...back[2].weights]).toEqual(close(exact([1, 2])));
  });

  it("takes leaves of trees, and pairs within larger sets", () => {
    const attributes = [column(32, true), column(3), column(2)];
    const codes = tableOf(attributes, 500, 5);
    const forest = forestOf(attributes, codes, [[0, 1, 2]]);
    expect(edgesOf(forest)).toHaveLength(2);
    const { column: child, weights } = forest.find(({ parent }) => parent === 0)!;
    const leaves = attributes.map((one) => ({ ...one, tree: false }));
    const exact = answers(queryOf([0, child], leaves), leaves, codes);
    expect([...weights]).toEqual(Array.from(exact, (count) => expect.closeTo(count, 1)));
  });

  it("does not link columns that were not measured together", () => {
    const attributes = [column(3), column(2), column(4), column(2)];
    const codes = tableOf(attributes, 300, 6);
    const forest = forestOf(attributes, codes, [[0, 2], [1]]);
    expect(edgesOf(forest)).toEqual([[0, 2]]);
    expect([...forest.find(({ column }) => column === 3)!.weights]).toEqual([150, 150]);
  });
});
