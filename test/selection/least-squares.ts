// Least squares over noisy marginals, with matrices over the whole domain.

/** One row for each cell of a marginal: 1 for the combinations of all columns' codes that are in it, otherwise 0. */
export function marginalMatrix(columns: readonly number[], sizes: readonly number[]): number[][] {
  const cells = columns.reduce((product, column) => product * sizes[column], 1);
  const points = sizes.reduce((product, size) => product * size, 1);
  const matrix = Array.from({ length: cells }, () => new Array<number>(points).fill(0));
  for (let point = 0; point < points; point++) {
    let rest = point;
    const codes = [...sizes.keys()].reverse().map((column) => {
      const code = rest % sizes[column];
      rest = Math.floor(rest / sizes[column]);
      return code;
    });
    codes.reverse();
    const cell = columns.reduce((at, column) => at * sizes[column] + codes[column], 0);
    matrix[cell][point] = 1;
  }
  return matrix;
}

/** The cells of a marginal less their means along the axes of some of its columns. */
export function centredMatrix(
  columns: readonly number[],
  centred: readonly number[],
  sizes: readonly number[],
): number[][] {
  return centred.reduce(
    (matrix, column) => {
      const inner = columns.slice(columns.indexOf(column) + 1).reduce((product, other) => product * sizes[other], 1);
      return matrix.map((row, cell) => {
        const first = cell - (Math.floor(cell / inner) % sizes[column]) * inner;
        const line = Array.from({ length: sizes[column] }, (_, code) => matrix[first + code * inner]);
        return row.map((own, point) => own - line.reduce((sum, other) => sum + other[point], 0) / line.length);
      });
    },
    marginalMatrix(columns, sizes),
  );
}

/** A noisy table: a marginal, or its cells less their means along the axes of some columns. */
export interface NoisyTable {
  readonly columns: readonly number[];
  readonly centred?: readonly number[];
  readonly sigma2: number;
}

/**
 * The matrix that takes the noisy cells of the measured tables, one after the other, to the least-squares estimates of
 * a marginal's cells.
 */
export function reconstruction(
  measured: readonly NoisyTable[],
  wanted: readonly number[],
  sizes: readonly number[],
): number[][] {
  const rows = measured.flatMap(({ columns, centred = [], sigma2 }) =>
    centredMatrix(columns, centred, sizes).map((row) => ({ row, sigma2 })),
  );
  const points = sizes.reduce((product, size) => product * size, 1);
  // What no marginal says stays where it is: a small ridge picks one of many solutions, and `wanted` has none of it.
  const normal = Array.from({ length: points }, (_, i) =>
    Array.from({ length: points }, (_, j) =>
      rows.reduce((sum, { row, sigma2 }) => sum + (row[i] * row[j]) / sigma2, i === j ? RIDGE : 0),
    ),
  );
  const right = Array.from({ length: points }, (_, i) => rows.map(({ row, sigma2 }) => row[i] / sigma2));
  const solved = solve(normal, right);
  return marginalMatrix(wanted, sizes).map((row) =>
    rows.map((_, at) => row.reduce((sum, one, point) => sum + one * solved[point][at], 0)),
  );
}

const RIDGE = 1e-9;

/** Gauss–Jordan elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly (readonly number[])[]): number[][] {
  const both = matrix.map((row, at) => [...row, ...right[at]]);
  for (let column = 0; column < matrix.length; column++) {
    let pivot = column;
    for (let row = column; row < both.length; row++)
      if (Math.abs(both[row][column]) > Math.abs(both[pivot][column])) pivot = row;
    [both[column], both[pivot]] = [both[pivot], both[column]];
    const scale = both[column][column];
    both[column] = both[column].map((value) => value / scale);
    for (let row = 0; row < both.length; row++) {
      const factor = both[row][column];
      if (row !== column && factor) both[row] = both[row].map((value, at) => value - factor * both[column][at]);
    }
  }
  return both.map((row) => row.slice(matrix.length));
}
