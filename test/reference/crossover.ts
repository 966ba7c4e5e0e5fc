import { below } from "./philox.js";
import { type Problem, usedColumns } from "./residuals.js";

/**
 * A row and a used column, each uniform, and the code that a uniformly chosen row of a uniformly chosen elite has in
 * that column.
 */
export function crossover(
  problem: Problem,
  words: readonly number[],
  elites: readonly (readonly Uint16Array[])[],
): [row: number, column: number, value: number] {
  const rows = problem.codes[0].length;
  const used = usedColumns(problem.queries);
  const column = used[below(used.length, words[1])];
  const elite = elites[below(elites.length, words[3])];
  return [below(rows, words[0]), column, elite[column][below(rows, words[2])]];
}
