/**
 * Counts centred along some axes: the weight of a row in a cell is the product over these axes of size · e − 1, where
 * e is whether the row has the cell's code, and over the others of e.
 * @param sizes the size of each axis
 * @param centred whether the counts are centred along it
 */
export function centredTable(
  sizes: readonly number[],
  centred: readonly boolean[],
  counts: ArrayLike<number>,
): number[] {
  const cells = sizes.reduce((product, size) => product * size, 1);
  const codesOf = (cell: number) => {
    let rest = cell;
    return [...sizes].reverse().map((size) => {
      const code = rest % size;
      rest = Math.floor(rest / size);
      return code;
    });
  };
  const codes = Array.from({ length: cells }, (_, cell) => codesOf(cell).reverse());
  return codes.map((asked) =>
    codes.reduce((sum, own, cell) => {
      const weights = sizes.map((size, axis) => {
        const isOwn = own[axis] === asked[axis] ? 1 : 0;
        return centred[axis] ? size * isOwn - 1 : isOwn;
      });
      return sum + counts[cell] * weights.reduce((product, weight) => product * weight, 1);
    }, 0),
  );
}
