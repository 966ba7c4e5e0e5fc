import { STREAM_PLACE, STREAM_SWEEP } from "../../src/engine/layout.js";
import { bestRun, runsOf } from "./neighbourhood.js";
import { below, word } from "./philox.js";
import { changed, lossOf, type Problem, usedColumns } from "./residuals.js";

/** Rows under a descent by definition, and what happens to a cell of them. */
export class Descended {
  codes: readonly Uint16Array[];
  loss: bigint;
  readonly columns: readonly number[];
  readonly #problem: Problem;
  readonly #runs: ReadonlyMap<number, readonly number[][]>;
  #placed = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.codes = problem.codes;
    this.loss = lossOf(problem, problem.codes);
    this.columns = usedColumns(problem.queries);
    this.#runs = new Map(this.columns.map((column) => [column, runsOf(problem, column)]));
  }

  /**
   * Gives a cell the first of the codes with the lowest loss, if that is lower than its own; of a run of codes that
   * nothing distinguishes, a random one.
   */
  improve(row: number, column: number): void {
    const { run, loss } = bestRun(this.#problem, this.codes, row, column, this.#runs.get(column)!);
    if (!run) return;
    const { seed } = this.#problem;
    const drawn = run.length > 1 ? below(run.length, word(seed, STREAM_PLACE, 0, this.#placed++)) : 0;
    this.codes = changed(this.codes, row, column, run[drawn]);
    this.loss = loss;
  }
}

/**
 * Sweeps until one lowers the loss by no more than a share, or there have been enough.
 * @param visit what a sweep does with all rows, in its order
 */
export function sweeps(
  problem: Problem,
  rows: Descended,
  tolerance: number,
  maxSweeps: number,
  visit: (order: readonly number[], sweep: number) => void,
) {
  const order = [...problem.codes[0].keys()];
  for (let sweep = 0; ; ) {
    const before = rows.loss;
    for (let position = 0; position < order.length; position++) {
      const other = position + below(order.length - position, word(problem.seed, STREAM_SWEEP, sweep, position));
      [order[position], order[other]] = [order[other], order[position]];
    }
    visit(order, sweep);
    sweep++;
    const { codes, loss } = rows;
    if (Number(before - loss) <= tolerance * Number(before)) return { codes, loss, steps: sweep, settled: true };
    if (sweep === maxSweeps) return { codes, loss, steps: sweep, settled: false };
  }
}

/** Sweeps of coordinate descent by definition: each cell in turn gets its best code. */
export function descent(problem: Problem, tolerance: number, maxSweeps: number) {
  const rows = new Descended(problem);
  return sweeps(problem, rows, tolerance, maxSweeps, (order) => {
    for (const row of order) for (const column of rows.columns) rows.improve(row, column);
  });
}
