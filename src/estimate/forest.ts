import type { Query } from "../queries/query.js";
import type { Estimates } from "./estimates.js";

/** A column and the column before it that it depends on, if any. */
export interface ForestColumn {
  readonly column: number;
  readonly parent?: number;
  /**
   * The frequencies of its codes, 0 or more: the count of each code or, with a parent, these counts for each code of
   * the parent.
   */
  readonly weights: Float64Array;
}

/**
 * All columns, each after its parent, along the forest of the measured pairs with the largest total interaction. The
 * forest is found with Kruskal's algorithm. It corresponds to the trees of Chow and Liu ("Approximating discrete
 * probability distributions with dependence trees", 1968), except that the interaction is measured by its L1 norm,
 * which needs no logarithm. Rows drawn along the forest reproduce these pairs, and for pairs that were not measured,
 * what these pairs imply (bench/accuracy.md, "Where to start"). A pair with an interaction of less than one row is not
 * an edge.
 */
export function dependenceForest(estimates: Estimates, queries: readonly Query[]): ForestColumn[] {
  const oneWays = estimates.oneWays();
  const pairs = pairsOf(queries);
  const strengths = estimates.interactions(pairs);
  const edges = pairs
    .map((pair, at) => ({ pair, strength: strengths[at] }))
    .filter(({ strength }) => strength >= 1)
    .sort((one, other) => other.strength - one.strength);
  const neighbours = spanningForest(
    edges.map(({ pair }) => pair),
    oneWays.length,
  );
  const order: { column: number; parent?: number }[] = [];
  const seen = new Set<number>();
  const visit = (column: number, parent?: number) => {
    seen.add(column);
    order.push({ column, parent });
    for (const next of neighbours[column]) if (!seen.has(next)) visit(next, column);
  };
  for (const column of oneWays.keys()) if (!seen.has(column)) visit(column);
  const leaning = order.flatMap(({ column, parent }) => (parent === undefined ? [] : [{ column, given: parent }]));
  const conditionals = estimates.conditionals(leaning).values();
  return order.map(({ column, parent }) => ({
    ...{ column, parent },
    weights: parent === undefined ? oneWays[column] : conditionals.next().value!,
  }));
}

/** The pairs of columns that occur together in some query, each once. */
function pairsOf(queries: readonly Query[]): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const { columns } of queries)
    for (const [at, column] of columns.entries())
      for (const other of columns.slice(at + 1)) pairs.set(`${column},${other}`, [column, other]);
  return [...pairs.values()];
}

/** The columns that each column has an edge with. Edges are taken in order, skipping those that would close a cycle. */
function spanningForest(edges: readonly (readonly [number, number])[], columns: number): number[][] {
  const neighbours: number[][] = Array.from({ length: columns }, () => []);
  const tree = Array.from({ length: columns }, (_, column) => column);
  const rootOf = (column: number): number => (tree[column] === column ? column : rootOf(tree[column]));
  for (const [one, other] of edges) {
    if (rootOf(one) === rootOf(other)) continue;
    tree[rootOf(one)] = rootOf(other);
    neighbours[one].push(other);
    neighbours[other].push(one);
  }
  return neighbours;
}
