import { STREAM_PLACE, STREAM_SWEEP } from "../../src/engine/layout.js";
import type { Ranges } from "../../src/queries/ranges.js";
import { entriesOf } from "./expression.js";
import { below, word } from "./philox.js";
import { isOn } from "./ranges.js";
import { changed, lossOf, type Problem, usedColumns } from "./residuals.js";
import { cellOf, codesIn } from "./tree.js";

/** The runs of a column's codes with the same cell, on the same sides of all boxes, and with the same table entries. */
function runsOf({ attributes, queries }: Problem, column: number): number[][] {
  const attribute = attributes[column];
  const sides = queries.flatMap((query) =>
    query.kind === "ranges" && query.columns.includes(column)
      ? (query as Ranges).boxes.map((box) => box[query.columns.indexOf(column)])
      : [],
  );
  const expressions = queries.filter(({ kind }) => kind === "expression");
  const kindOf = (code: number) =>
    [
      ...[cellOf(attribute, code), ...sides.map((side) => isOn(side, attribute, code))],
      ...expressions.flatMap((query) => entriesOf(query, column, code)),
    ].join();
  const runs: number[][] = [];
  for (let code = 0; code < codesIn(attribute); code++)
    if (code && kindOf(code) === kindOf(code - 1)) runs.at(-1)!.push(code);
    else runs.push([code]);
  return runs;
}

/**
 * Sweeps of coordinate descent by definition: each cell in turn gets the first of the codes with the lowest loss, if
 * that is lower than its own; of a run of codes that nothing distinguishes, a random one.
 */
export function descent(problem: Problem, tolerance: number, maxSweeps: number) {
  let { codes } = problem;
  const order = [...codes[0].keys()];
  let loss = lossOf(problem, codes);
  let placed = 0;
  const runs = new Map(usedColumns(problem.queries).map((column) => [column, runsOf(problem, column)]));
  for (let sweep = 0; ; ) {
    const before = loss;
    for (let position = 0; position < order.length; position++) {
      const other = position + below(order.length - position, word(problem.seed, STREAM_SWEEP, sweep, position));
      [order[position], order[other]] = [order[other], order[position]];
      for (const column of usedColumns(problem.queries)) {
        let best: number[] | undefined;
        for (const run of runs.get(column)!) {
          const lower = lossOf(problem, changed(codes, order[position], column, run[0]));
          if (lower < loss) [best, loss] = [run, lower];
        }
        if (!best) continue;
        const drawn = best.length > 1 ? below(best.length, word(problem.seed, STREAM_PLACE, 0, placed++)) : 0;
        codes = changed(codes, order[position], column, best[drawn]);
      }
    }
    sweep++;
    if (Number(before - loss) <= tolerance * Number(before)) return { codes, loss, steps: sweep, settled: true };
    if (sweep === maxSweeps) return { codes, loss, steps: sweep, settled: false };
  }
}
