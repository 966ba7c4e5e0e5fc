type Table = readonly (readonly number[])[];

/** The distance of a table from the one of independent columns with these counts. */
export function interaction(table: Table, first: readonly number[], second: readonly number[], total: number): number {
  const distances = table.flatMap((row, a) => row.map((count, b) => Math.abs(count - (first[a] * second[b]) / total)));
  return distances.reduce((sum, distance) => sum + distance, 0);
}

export const transposed = (table: Table): number[][] => table[0].map((_, column) => table.map((row) => row[column]));

export const raised = (table: Table): number[][] => table.map((row) => row.map((count) => Math.max(count, 0)));

/**
 * What noisy answers to an interaction reveal about the table of some of its columns, all other axes summed over:
 * the expected counts, moved to the answers along the axes along which these are centred.
 * @param sizes the size of each axis; `kept`: whether the table has it; `centred`: whether answers are centred along it
 */
export function interactionEvidence(
  { sizes, kept, centred }: Readonly<Record<"kept" | "centred", readonly boolean[]>> & { sizes: readonly number[] },
  answers: ArrayLike<number>,
  sigma2: number,
  expected: readonly number[],
): { sums: number[]; precisions: number[] } {
  const codesOf = cellCodes(sizes);
  const sizesKept = sizes.filter((_, axis) => kept[axis]);
  const centredKept = centred.filter((_, axis) => kept[axis]);
  const ofKept = cellCodes(sizesKept);
  const scale = sizes.reduce((product, size, axis) => (centred[axis] ? product * size : product), 1);
  const rest = ofKept.map((own, cell) => {
    const parts = codesOf.flatMap((codes, at) =>
      codes.filter((_, axis) => kept[axis]).join() === own.join() ? [answers[at]] : [],
    );
    return parts.reduce((sum, part) => sum + part, 0) / scale - expected[cell];
  });
  // A product of projections, one for each axis: the cell itself, less the mean of its line if centred.
  const variance = (sigma2 * (codesOf.length / ofKept.length)) / scale ** 2;
  const sums = ofKept.map((own, cell) => {
    const moved = ofKept.reduce((sum, codes, other) => {
      const weights = sizesKept.map(
        (size, axis) => Number(codes[axis] === own[axis]) - (centredKept[axis] ? 1 / size : 0),
      );
      return sum + rest[other] * weights.reduce((product, weight) => product * weight, 1);
    }, 0);
    return (expected[cell] + moved) / variance;
  });
  return { sums, precisions: ofKept.map(() => 1 / variance) };
}

/** The codes of each cell, row-major. */
const cellCodes = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (all, size) => all.flatMap((codes) => Array.from({ length: size }, (_, code) => [...codes, code])),
    [[]],
  );
