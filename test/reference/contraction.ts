/** A table: the axes of an index space that it has, in the order of its own cells, row-major. */
export interface Operand {
  readonly axes: readonly number[];
  readonly values: readonly number[];
}

/** All combinations of one code per axis, the last axis fastest. */
export const cellsOf = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (all, size) => all.flatMap((codes) => Array.from({ length: size }, (_, code) => [...codes, code])),
    [[]],
  );

/** The place in a table with these axes of a cell of the index space. */
export const placeOf = (cell: readonly number[], axes: readonly number[], sizes: readonly number[]): number =>
  axes.reduce((place, axis) => place * sizes[axis] + cell[axis], 0);

/** For each cell the product of the factors, and the sums of these products over all axes but those stated. */
export function contracted(
  sizes: readonly number[],
  factors: readonly Operand[],
  sums: readonly (readonly number[])[],
): { products: number[]; sums: number[][] } {
  const cells = cellsOf(sizes);
  const products = cells.map((cell) =>
    factors.reduce((product, { axes, values }) => product * values[placeOf(cell, axes, sizes)], 1),
  );
  const summed = sums.map((axes) => {
    const sum = new Array<number>(axes.reduce((count, axis) => count * sizes[axis], 1)).fill(0);
    for (const [at, cell] of cells.entries()) sum[placeOf(cell, axes, sizes)] += products[at];
    return sum;
  });
  return { products, sums: summed };
}
