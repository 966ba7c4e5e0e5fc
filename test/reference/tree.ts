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

/** How many codes rows have in a column, missing included. */
export const codesIn = ({ size, missing, fine }: Attribute): number => (fine === undefined ? size : fine + +missing);

/** The cell of a code: of finer codes than the 32 leaves, each has its share of the range, and missing comes last. */
export const cellOf = ({ fine }: Attribute, code: number): number =>
  fine === undefined ? code : Math.floor((32 * code) / fine);

/** The part of a column's axis that holds a code of the rows at a level of a tree, 1 the coarsest of five. */
export function part(attribute: Attribute, code: number, level: number): number {
  const cell = cellOf(attribute, code);
  if (!attribute.tree) return cell;
  return cell === 32 ? 2 ** level : Math.floor(cell / 2 ** (5 - level));
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
      sums[
        codes.reduce((sum, cell, axis) => sum * shape[axis] + part({ ...axes[axis], fine: undefined }, cell, level), 0)
      ] += finest[at];
    return sums;
  });
}
