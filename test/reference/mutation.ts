import { below } from "./philox.js";
import { type Problem, usedColumns } from "./residuals.js";

/** A row, a used column and a code of that column, each uniform, from the words of one block. */
export function mutation(problem: Problem, words: readonly number[]): [row: number, column: number, value: number] {
  const used = usedColumns(problem.queries);
  const column = used[below(used.length, words[1])];
  return [below(problem.codes[0].length, words[0]), column, below(problem.attributes[column].size, words[2])];
}
