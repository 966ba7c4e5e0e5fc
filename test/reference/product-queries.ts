/** Queries, each with the lines whose product it asks for. */
export type Lines = readonly (readonly number[])[];

/** The mean over the rows of each query's products. */
export const productQueries = (x: ArrayLike<number>, rows: number, queries: Lines): number[] =>
  queries.map((lines) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += lines.reduce((product, line) => product * x[line * rows + row], 1);
    return sum / rows;
  });

/** The slopes at x, given those at the answers. */
export function productQueriesGradient(
  x: ArrayLike<number>,
  rows: number,
  queries: Lines,
  slope: ArrayLike<number>,
): number[] {
  const made: number[] = Array.from(x, () => 0);
  for (const [query, lines] of queries.entries())
    for (let row = 0; row < rows; row++)
      for (const [own, line] of lines.entries()) {
        const others = lines.filter((_, at) => at !== own).map((other) => x[other * rows + row]);
        made[line * rows + row] += others.reduce((product, number) => product * number, slope[query] / rows);
      }
  return made;
}
