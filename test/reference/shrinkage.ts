import { coefficients, haarBasis, valuesOf } from "./haar.js";
import { softened } from "./threshold.js";

type Matrix = number[][];

export interface NoisyTable {
  readonly table: Matrix;
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly sigma: number;
  /** How many codes, from the first, are ordered on each axis. */
  readonly ordered: readonly [number, number];
}

/** The estimate of a pair's table, by a whole singular value decomposition and explicit bases. */
export function shrunkTable({ table, first, second, sigma, ordered }: NoisyTable): Matrix {
  const total = first.reduce((a, b) => a + b, 0);
  const product = first.map((p) => second.map((q) => (p * q) / total));
  const interaction = centred(combine(table, product, (count, expected) => count - expected));
  const { signal, rest } = shrunkValues(interaction, sigma);
  const spiky = combine(signal, reshaped(softened(rest.flat(), sigma), second.length), (a, b) => a + b);
  const estimate = ordered.some((count) => count > 0)
    ? combine(spiky, smoothed(interaction, ordered, sigma), (a, b) => (2 * a + b) / 3)
    : spiky;
  return combine(product, estimate, (a, b) => Math.max(0, a + b));
}

const combine = (a: Matrix, b: Matrix, f: (x: number, y: number) => number): Matrix =>
  a.map((row, i) => row.map((x, j) => f(x, b[i][j])));

const transposed = (matrix: Matrix): Matrix => matrix[0].map((_, column) => matrix.map((row) => row[column]));

const reshaped = (cells: number[], width: number): Matrix =>
  Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function centred(matrix: Matrix): Matrix {
  const rows = matrix.map((row) => row.map((x) => x - mean(row)));
  const means = transposed(rows).map(mean);
  return rows.map((row) => row.map((x, column) => x - means[column]));
}

/** Each singular value y·σ becomes σ·√((y² − a − b)² − 4ab)/y where y > √a + √b, else stays in the rest. */
function shrunkValues(matrix: Matrix, sigma: number): { signal: Matrix; rest: Matrix } {
  const [a, b] = [matrix.length - 1, matrix[0].length - 1];
  let signal = matrix.map((row) => row.map(() => 0));
  let rest = matrix;
  for (const { value, left, right } of singularValues(matrix)) {
    const y = value / sigma;
    if (y <= Math.sqrt(a) + Math.sqrt(b)) continue;
    const kept = (sigma * Math.sqrt((y * y - a - b) ** 2 - 4 * a * b)) / y;
    const outer = left.map((u) => right.map((v) => u * v));
    signal = combine(signal, outer, (x, part) => x + kept * part);
    rest = combine(rest, outer, (x, part) => x - value * part);
  }
  return { signal, rest };
}

/** One-sided Jacobi: rotates the columns until all are orthogonal; their lengths are then the singular values. */
function singularValues(matrix: Matrix): { value: number; left: number[]; right: number[] }[] {
  const columns = transposed(matrix);
  const rights = columns.map((_, at) => columns.map((_, other) => +(at === other)));
  const product = (x: number[], y: number[]) => x.reduce((sum, entry, at) => sum + entry * y[at], 0);
  const rotate = (vectors: number[][], p: number, q: number, cosine: number, sine: number) => {
    const [x, y] = [vectors[p], vectors[q]];
    vectors[p] = x.map((entry, at) => cosine * entry - sine * y[at]);
    vectors[q] = x.map((entry, at) => sine * entry + cosine * y[at]);
  };
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let p = 0; p < columns.length; p++)
      for (let q = p + 1; q < columns.length; q++) {
        const [alpha, beta] = [product(columns[p], columns[p]), product(columns[q], columns[q])];
        const gamma = product(columns[p], columns[q]);
        if (Math.abs(gamma) <= 1e-13 * Math.sqrt(alpha * beta)) continue;
        rotated = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const cosine = 1 / Math.sqrt(1 + tangent * tangent);
        rotate(columns, p, q, cosine, cosine * tangent);
        rotate(rights, p, q, cosine, cosine * tangent);
      }
  }
  return columns.flatMap((column, at) => {
    const value = Math.sqrt(product(column, column));
    return value > 0 ? [{ value, left: column.map((entry) => entry / value), right: rights[at] }] : [];
  });
}

function smoothed(matrix: Matrix, [rows, columns]: readonly [number, number], sigma: number): Matrix {
  const [down, across] = [basisOf(rows, matrix.length), basisOf(columns, matrix[0].length)];
  const along = transposed(
    transposed(matrix.map((row) => coefficients(across, row))).map((column) => coefficients(down, column)),
  );
  const kept = reshaped(softened(along.flat(), sigma), matrix[0].length);
  return transposed(transposed(kept.map((row) => valuesOf(across, row))).map((column) => valuesOf(down, column)));
}

/** The Haar basis on the first `ordered` of `size` codes; the others stand for themselves. */
function basisOf(ordered: number, size: number): number[][] {
  const haar = ordered ? haarBasis(ordered) : [];
  const rest = Array.from({ length: size - ordered }, (_, index) => index + ordered);
  return [
    ...haar.map((vector) => [...vector, ...rest.map(() => 0)]),
    ...rest.map((code) => Array.from({ length: size }, (_, at) => +(at === code))),
  ];
}
