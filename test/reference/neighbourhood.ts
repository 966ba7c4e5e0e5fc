import type { Ranges } from "../../src/queries/ranges.js";
import { entriesOf } from "./expression.js";
import { isOn } from "./ranges.js";
import { changed, lossOf, type Problem, usedColumns } from "./residuals.js";
import { cellOf, codesIn } from "./tree.js";

/** The runs of a column's codes with the same cell, on the same sides of all boxes, and with the same table entries. */
export function runsOf({ attributes, queries }: Problem, column: number): number[][] {
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

/** The first of a column's runs with the lowest loss for one cell, if that is below the present one; and that loss. */
export function bestRun(
  problem: Problem,
  codes: readonly Uint16Array[],
  row: number,
  column: number,
  runs: readonly (readonly number[])[],
): { run: readonly number[] | undefined; loss: bigint } {
  let run: readonly number[] | undefined;
  let loss = lossOf(problem, codes);
  for (const each of runs) {
    const lower = lossOf(problem, changed(codes, row, column, each[0]));
    if (lower < loss) [run, loss] = [each, lower];
  }
  return { run, loss };
}

/** For each of the rows, a bit for each column with a query, lowest first, in words: whether a code lowers the loss. */
export function moves(problem: Problem, codes: readonly Uint16Array[], rows: readonly number[]): number[] {
  const columns = usedColumns(problem.queries);
  const runs = columns.map((column) => runsOf(problem, column));
  return rows.flatMap((row) => {
    const words = new Uint32Array(Math.ceil(columns.length / 32));
    for (const [at, column] of columns.entries())
      if (bestRun(problem, codes, row, column, runs[at]).run) words[at >> 5] |= 1 << (at & 31);
    return [...words];
  });
}
