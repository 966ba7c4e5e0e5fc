// Junction trees: which cliques a set of measured column sets leads to, and how they are connected.
import { cellsOver } from "./contraction.js";

/** A clique of a junction tree. */
export interface Clique {
  /** In the order of their sizes. */
  readonly columns: readonly number[];
  /** The place of its parent in the list of cliques, which comes after it. The roots of a forest have none. */
  readonly parent: number | undefined;
  /** The columns that it shares with its parent, in the same order. */
  readonly separator: readonly number[];
}

/**
 * A junction tree, or a forest of them, in which each of the sets is contained in a clique. Columns are eliminated one
 * by one, the one whose clique has the fewest cells first, or the one that adds the fewest edges, whichever leads to
 * fewer cells; then cliques are connected by the largest separators.
 * @param sets sets of columns
 * @param sizes how many cells each column has; every column is in a clique
 * @returns the cliques, each after its children
 */
export function junctionTree(sets: readonly (readonly number[])[], sizes: readonly number[]): Clique[] {
  const cliques = maximalCliques(sets, sizes);
  const parents = spanningParents(cliques);
  const ordered = afterChildren(parents);
  const place = new Map(ordered.map((clique, at) => [clique, at]));
  return ordered.map((clique) => {
    const columns = cliques[clique];
    const parent = parents[clique];
    if (parent === undefined) return { columns, parent, separator: [] };
    return { columns, parent: place.get(parent), separator: columns.filter((one) => cliques[parent].includes(one)) };
  });
}

/** How many cells the cliques of a junction tree of these sets have together. */
export const junctionTreeCells = (sets: readonly (readonly number[])[], sizes: readonly number[]): number =>
  cellsOfAll(maximalCliques(sets, sizes), sizes);

const cellsOfAll = (cliques: readonly (readonly number[])[], sizes: readonly number[]): number =>
  cliques.reduce((sum, clique) => sum + cellsOver(clique, sizes), 0);

/** Columns in the order of their sizes, so that the cells along the last axis of a table are many. */
export const bySize = (columns: readonly number[], sizes: readonly number[]): number[] =>
  [...columns].sort((a, b) => sizes[a] - sizes[b] || a - b);

/** The cliques of a triangulated graph in which the columns of each set are neighbours, none within another. */
function maximalCliques(sets: readonly (readonly number[])[], sizes: readonly number[]): number[][] {
  const cells = (column: number, others: Neighbours) => cellsOver([column, ...others[column]], sizes);
  const byCells = eliminated(sets, sizes, cells);
  if (!byCells.edges) return byCells.cliques; // those of the graph itself
  const byEdges = eliminated(
    sets,
    sizes,
    (column, others) => missingEdges(column, others) + EPSILON * cells(column, others),
  );
  return cellsOfAll(byEdges.cliques, sizes) < cellsOfAll(byCells.cliques, sizes) ? byEdges.cliques : byCells.cliques;
}

/** Decides between columns that add as many edges. */
const EPSILON = 2 ** -64;

/** For each column, those that it has edges to. */
type Neighbours = readonly Set<number>[];

/** How many pairs of a column's neighbours have no edge. */
function missingEdges(column: number, neighbours: Neighbours): number {
  const others = [...neighbours[column]];
  return others.reduce(
    (sum, one, at) => sum + others.slice(at + 1).filter((other) => !neighbours[one].has(other)).length,
    0,
  );
}

/** Eliminates columns one by one, the one of the least cost first: edges are added between all its neighbours. */
function eliminated(
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  costOf: (column: number, neighbours: Neighbours) => number,
): { cliques: number[][]; edges: number } {
  const neighbours = sizes.map(() => new Set<number>());
  for (const columns of sets)
    for (const one of columns) for (const other of columns) if (one !== other) neighbours[one].add(other);
  const costs = sizes.map((_, column) => costOf(column, neighbours));
  const left = new Set(sizes.keys());
  const cliques: number[][] = [];
  let edges = 0;
  while (left.size) {
    let next = -1;
    for (const column of left) if (next < 0 || costs[column] < costs[next]) next = column;
    const others = [...neighbours[next]];
    const isWithin = cliques.some(
      (clique) => clique.includes(next) && others.every((column) => clique.includes(column)),
    );
    if (!isWithin) cliques.push(bySize([next, ...others], sizes));
    edges += missingEdges(next, neighbours);
    left.delete(next);
    for (const one of others) {
      neighbours[one].delete(next);
      for (const other of others) if (one !== other) neighbours[one].add(other);
    }
    const changed = new Set(others.flatMap((one) => [one, ...neighbours[one]]));
    for (const one of changed) costs[one] = costOf(one, neighbours);
  }
  return { cliques, edges };
}

/** The parent of each clique: those that share the most columns are connected, as in Prim's algorithm. */
function spanningParents(cliques: readonly (readonly number[])[]): (number | undefined)[] {
  const parents: (number | undefined)[] = cliques.map(() => undefined);
  const shared = cliques.map(() => 0);
  const left = new Set(cliques.keys());
  while (left.size) {
    let next = -1;
    for (const clique of left) if (next < 0 || shared[clique] > shared[next]) next = clique;
    left.delete(next);
    for (const clique of left) {
      const common = cliques[clique].reduce((sum, column) => sum + Number(cliques[next].includes(column)), 0);
      if (common <= shared[clique]) continue;
      shared[clique] = common;
      parents[clique] = next;
    }
  }
  return parents;
}

/** The places of all entries, each after those that have it as their parent. */
function afterChildren(parents: readonly (number | undefined)[]): number[] {
  const children = parents.map((): number[] => []);
  for (const [at, parent] of parents.entries()) if (parent !== undefined) children[parent].push(at);
  const ordered: number[] = [];
  const visit = (at: number) => {
    children[at].forEach(visit);
    ordered.push(at);
  };
  for (const [at, parent] of parents.entries()) if (parent === undefined) visit(at);
  return ordered;
}
