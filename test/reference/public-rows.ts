import { fittedMargins } from "./margins.js";
import { type Axis, shrunkTable } from "./shrinkage.js";

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** The sums of a flat table along its rows, and along its columns. */
function marginsOf(table: readonly number[], columns: number): [number[], number[]] {
  const rows = Array.from({ length: table.length / columns }, (_, row) =>
    sum(table.slice(row * columns, (row + 1) * columns)),
  );
  const across = Array.from({ length: columns }, (_, column) =>
    sum(rows.map((_, row) => table[row * columns + column])),
  );
  return [rows, across];
}

/** What public rows imply about one column. */
export function publicColumn(counts: readonly number[], total: number): number[] {
  return counts.map((count) => ((count + 1 / counts.length) * total) / (sum(counts) + 1));
}

/** What public rows imply about two columns. @param wanted its row sums and column sums */
export function publicPair(
  counts: readonly number[],
  wanted: readonly [readonly number[], readonly number[]],
): number[] {
  const [ofRows, ofColumns] = wanted;
  const [rows, columns] = marginsOf(counts, ofColumns.length);
  const known = sum(counts);
  const more = (codes: readonly number[], code: number) => (codes[code] + 1 / codes.length) / known;
  const start = counts.map((count, cell) => {
    const [row, column] = [Math.floor(cell / columns.length), cell % columns.length];
    return count + more(rows, row) + more(columns, column);
  });
  // Each margin is the table summed over one axis.
  return fittedMargins([ofRows.length, ofColumns.length], [ofColumns, ofRows], 10, start);
}

export interface PublicProblem {
  /** One or two, without trees. */
  readonly axes: readonly Axis[];
  /** What public rows imply. */
  readonly table: readonly number[];
  /** The noisy counts, and the variance of their noise. */
  readonly noisy: readonly number[];
  readonly variance: number;
  readonly sampling: number;
}

const SPREADS = [0, ...Array.from({ length: 9 }, (_, power) => 0.001 * 4 ** power)];
const EVIDENCE = 6;

interface Explanation {
  readonly deviance: number;
  /** The variance of each true count about the expected one. */
  readonly spread: readonly number[];
}

/** The table, corrected by what is most likely to be true. */
export function correctedTable({ axes, table, noisy, variance, sampling }: PublicProblem): number[] {
  const residual = centred(
    axes,
    noisy.map((count, cell) => count - table[cell]),
  );
  const even = table.map(() => sum(table) / table.length);
  const one = axes.length === 1;
  const found = explained(axes, table, residual, variance, sampling, one ? even : undefined);
  if (!one) {
    const independent = independentOf(table, axes[1].size);
    const moved = residual.map((step, cell) => step + table[cell] - independent[cell]);
    if (explained(axes, independent, moved, variance, 1).deviance + EVIDENCE < found.deviance)
      return shrunkTable({
        axes,
        implied: independent,
        sums: moved.map((step, cell) => (independent[cell] + step) / variance),
        precisions: table.map(() => 1 / variance),
      });
  }
  return table.map((count, cell) => count + (found.spread[cell] / (found.spread[cell] + variance)) * residual[cell]);
}

function explained(
  axes: readonly Axis[],
  expected: readonly number[],
  residual: readonly number[],
  variance: number,
  sampling: number,
  even?: readonly number[],
): Explanation {
  const free = axes.reduce((product, { size }) => product * (size - 1), 1) / expected.length;
  const all = SPREADS.flatMap((own) =>
    (even ? SPREADS : [0]).map((other): Explanation => {
      const spread = expected.map((value, cell) => {
        const count = Math.max(value, 0.5);
        return sampling * count + own * count ** 2 + other * (even?.[cell] ?? 0) ** 2;
      });
      const terms = spread.map(
        (of, cell) => free * Math.log(1 + of / variance) + residual[cell] ** 2 / (of + variance),
      );
      return { deviance: sum(terms) + EVIDENCE * (+(own > 0) + +(other > 0)), spread };
    }),
  );
  return all.reduce((best, next) => (next.deviance < best.deviance ? next : best));
}

function independentOf(table: readonly number[], columns: number): number[] {
  const [rows, across] = marginsOf(table, columns);
  return table.map((_, cell) => (rows[Math.floor(cell / columns)] * across[cell % columns]) / sum(table));
}

/** A table less its margins. */
function centred(axes: readonly Axis[], residual: readonly number[]): number[] {
  const mean = sum(residual) / residual.length;
  if (axes.length === 1) return residual.map((step) => step - mean);
  const [rows, columns] = marginsOf(residual, axes[1].size);
  return residual.map((step, cell) => {
    const [row, column] = [Math.floor(cell / columns.length), cell % columns.length];
    return step - rows[row] / columns.length - columns[column] / rows.length + mean;
  });
}
