import { below } from "./philox.js";
import { type Problem, usedColumns } from "./residuals.js";
import { cellOf, codesIn } from "./tree.js";

/**
 * A row, a used column and a cell of that column, each uniform, and a uniform code of the cell, from the words of one
 * block.
 */
export function mutation(problem: Problem, words: readonly number[]): [row: number, column: number, value: number] {
  const used = usedColumns(problem.queries);
  const column = used[below(used.length, words[1])];
  const attribute = problem.attributes[column];
  const cell = below(attribute.size, words[2]);
  const codes = Array.from({ length: codesIn(attribute) }, (_, code) => code).filter(
    (code) => cellOf(attribute, code) === cell,
  );
  return [below(problem.codes[0].length, words[0]), column, codes[below(codes.length, words[3])]];
}
