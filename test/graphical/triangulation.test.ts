import fc from "fast-check";
import { expect, it } from "vitest";
import { junctionTree, junctionTreeCells } from "../../src/graphical/triangulation.js";

const cases = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    sets: fc.array(fc.subarray([...sizes.keys()], { maxLength: Math.min(4, sizes.length) }), { maxLength: 12 }),
  }),
);

it("has every set and every column in a clique, none within another, and each clique after its children", () => {
  fc.assert(
    fc.property(cases, ({ sizes, sets }) => {
      const cliques = junctionTree(sets, sizes);
      const isWithin = (some: readonly number[], all: readonly number[]) => some.every((one) => all.includes(one));
      for (const set of [...sets, ...[...sizes.keys()].map((column) => [column])])
        expect(cliques.some(({ columns }) => isWithin(set, columns))).toBe(true);
      for (const [at, { columns, parent, separator }] of cliques.entries()) {
        expect(cliques.filter((other) => isWithin(columns, other.columns))).toHaveLength(1);
        if (parent === undefined) expect(separator).toEqual([]);
        else {
          expect(parent).toBeGreaterThan(at);
          const shared = columns.filter((one) => cliques[parent].columns.includes(one));
          expect(separator).toEqual(shared);
          expect(separator.length).toBeGreaterThan(0);
        }
      }
      const cells = cliques.reduce(
        (sum, { columns }) => sum + columns.reduce((product, column) => product * sizes[column], 1),
        0,
      );
      expect(junctionTreeCells(sets, sizes)).toBe(cells);
    }),
    { seed: 1, numRuns: 500 },
  );
});

it("has the cliques of each column connected: what two of them share is in all between them", () => {
  fc.assert(
    fc.property(cases, ({ sizes, sets }) => {
      const cliques = junctionTree(sets, sizes);
      for (const column of sizes.keys()) {
        const having = cliques.filter(({ columns }) => columns.includes(column));
        // A connected part of a tree has one edge fewer than cliques.
        const edges = having.filter(({ separator }) => separator.includes(column));
        expect(having.length - edges.length).toBe(1);
      }
    }),
    { seed: 2, numRuns: 500 },
  );
});

it("eliminates the column with the smallest clique first: a cycle of four gets its cheaper chord", () => {
  const cycle = [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 3],
  ];
  const columns = junctionTree(cycle, [10, 2, 10, 2]).map((clique) => [...clique.columns].sort());
  expect(columns.sort()).toEqual([
    [0, 1, 3],
    [1, 2, 3],
  ]);
});

it("eliminates the column that adds the fewest edges first where that leads to fewer cells", () => {
  // The cells of columns of 2, 3 and 4 values are no more than those of 4 and 6, but a chain needs no edge.
  const chain = [
    [1, 3],
    [0, 3],
    [0, 4],
    [2, 4],
  ];
  expect(junctionTreeCells(chain, [2, 6, 8, 4, 3])).toBe(6 * 4 + 4 * 2 + 2 * 3 + 3 * 8);
});
