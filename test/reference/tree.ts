import type { Attribute } from "../../src/domain/attribute.js";
import type { Query } from "../../src/queries/query.js";

/** The levels of a query's answers, 1 the coarsest of a tree; a marginal has the finest alone. */
export function levelsOf({ columns }: Query, attributes: readonly Attribute[]): number[] {
  return columns.some((column) => attributes[column].tree) ? [1, 2, 3, 4, 5] : [5];
}

/** How many cells each axis of a query has at a level: on a tree 2^level intervals, and "missing". */
export function shapeAt({ columns }: Query, attributes: readonly Attribute[], level: number): number[] {
  return columns.map((column) => {
    const { size, tree, missing } = attributes[column];
    return tree ? 2 ** level + +missing : size;
  });
}

/** The number of cells of a table of this shape. */
export const cellsIn = (shape: readonly number[]): number => shape.reduce((product, width) => product * width, 1);

/** The part of a column's axis that holds a code at a level of a tree, 1 the coarsest of five. */
export function part(attribute: Attribute, code: number, level: number): number {
  if (!attribute.tree) return code;
  return code === 32 ? 2 ** level : Math.floor(code / 2 ** (5 - level));
}

/** A query's answers, the coarsest level first, from one value for each combination of codes, row-major. */
export function levelSums(query: Query, attributes: readonly Attribute[], finest: ArrayLike<number>): number[] {
  const axes = query.columns.map((column) => attributes[column]);
  const combinations = axes.reduce<number[][]>(
    (all, { size }) => all.flatMap((codes) => Array.from({ length: size }, (_, code) => [...codes, code])),
    [[]],
  );
  return levelsOf(query, attributes).flatMap((level) => {
    const shape = shapeAt(query, attributes, level);
    const sums: number[] = new Array(cellsIn(shape)).fill(0);
    for (const [at, codes] of combinations.entries())
      sums[codes.reduce((cell, code, axis) => cell * shape[axis] + part(axes[axis], code, level), 0)] += finest[at];
    return sums;
  });
}
