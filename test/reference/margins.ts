/**
 * Iterative proportional fitting on flat tables: `margins[axis]` is the table summed over that axis.
 * @param start what is scaled, by default 1 in every cell
 */
export function fittedMargins(
  sizes: readonly number[],
  margins: readonly (readonly number[])[],
  rounds: number,
  start?: readonly number[],
): number[] {
  const places = sizes.reduce<number[][]>(
    (all, size) => all.flatMap((codes) => Array.from({ length: size }, (_, code) => [...codes, code])),
    [[]],
  );
  const without = (codes: readonly number[], axis: number) =>
    codes.reduce((index, code, at) => (at === axis ? index : index * sizes[at] + code), 0);
  let table = start ? [...start] : places.map(() => 1);
  for (let round = 0; round < rounds; round++)
    for (const [axis, margin] of margins.entries()) {
      const sums = margin.map(() => 0);
      for (const [cell, codes] of places.entries()) sums[without(codes, axis)] += table[cell];
      table = places.map((codes, cell) => {
        const at = without(codes, axis);
        return sums[at] > 0 ? (table[cell] * Math.max(0, margin[at])) / sums[at] : 0;
      });
    }
  return table;
}
