import { WHOLE_SWEEPS } from "../../src/engine/layout.js";
import { Descended, sweeps } from "./descent.js";
import { moves } from "./neighbourhood.js";
import type { Problem } from "./residuals.js";

/**
 * Coordinate descent in batches of `size` rows, by definition. In the first sweeps each cell in turn gets its best
 * code. In later ones only those do that could be improved before their batch began, and those after them in rows that
 * have changed.
 */
export function batches(problem: Problem, tolerance: number, maxSweeps: number, size: number) {
  const rows = new Descended(problem);
  const { columns } = rows;
  return sweeps(problem, rows, tolerance, maxSweeps, (order, sweep) => {
    for (let from = 0; from < order.length; from += size) {
      const batch = order.slice(from, from + size);
      const found = moves(problem, rows.codes, batch);
      const words = found.length / batch.length;
      for (const [at, row] of batch.entries()) {
        const before = rows.loss;
        for (const [index, column] of columns.entries())
          if (sweep < WHOLE_SWEEPS || rows.loss !== before || (found[at * words + (index >> 5)] >> (index & 31)) & 1)
            rows.improve(row, column);
      }
    }
  });
}
