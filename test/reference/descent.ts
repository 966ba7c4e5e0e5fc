import { STREAM_SWEEP } from "../../src/engine/layout.js";
import { below, word } from "./philox.js";
import { changed, lossOf, type Problem, usedColumns } from "./residuals.js";

/**
 * Sweeps of coordinate descent by definition: each cell in turn gets the first of the codes with the lowest loss, if
 * that is lower than its own.
 */
export function descent(problem: Problem, tolerance: number, maxSweeps: number) {
  let { codes } = problem;
  const order = [...codes[0].keys()];
  let loss = lossOf(problem, codes);
  for (let sweep = 0; ; ) {
    const before = loss;
    for (let position = 0; position < order.length; position++) {
      const other = position + below(order.length - position, word(problem.seed, STREAM_SWEEP, sweep, position));
      [order[position], order[other]] = [order[other], order[position]];
      for (const column of usedColumns(problem.queries)) {
        const tables = Array.from({ length: problem.attributes[column].size }, (_, value) =>
          changed(codes, order[position], column, value),
        );
        for (const table of tables) {
          const lower = lossOf(problem, table);
          if (lower < loss) [codes, loss] = [table, lower];
        }
      }
    }
    sweep++;
    if (Number(before - loss) <= tolerance * Number(before)) return { codes, loss, steps: sweep, settled: true };
    if (sweep === maxSweeps) return { codes, loss, steps: sweep, settled: false };
  }
}
