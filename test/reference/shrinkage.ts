import type { Attribute } from "../../src/domain/attribute.js";
import { coefficients, haarBasis, valuesOf } from "./haar.js";
import { treeBasis } from "./hierarchy.js";
import { softened } from "./threshold.js";

type Matrix = number[][];

/** A column of a table, and how many of its codes, from the first, are shrunk as ordered codes. */
export interface Axis extends Attribute {
  readonly codes: number;
}

export interface NoisyTable {
  readonly axes: readonly Axis[];
  /** The table that the margins imply, row-major, in counts. */
  readonly implied: readonly number[];
  /** What chains add to it, if there are any. */
  readonly chained?: readonly number[];
  /** For each coefficient in the tree bases of the axes: Σ measured ÷ variance and Σ 1 ÷ variance. */
  readonly sums: readonly number[];
  readonly precisions: readonly number[];
}

/** The estimate of a table, with explicit bases and a whole singular value decomposition. */
export function shrunkTable({ axes, implied, chained = implied.map(() => 0), sums, precisions }: NoisyTable): number[] {
  const bases = axes.map(treeBasis);
  const inBases = (table: readonly number[]) => alongAxes(axes, table, (line, axis) => coefficients(bases[axis], line));
  const known = implied.map((count, cell) => count + chained[cell]);
  const expected = inBases(known);
  const deviations = precisions.map((precision) => 1 / Math.sqrt(precision));
  const white = sums.map((sum, at) => (sum / precisions[at] - expected[at]) / deviations[at]);
  const room = roomOf(axes, known, deviations);
  const knownWhite = inBases(chained).map((x, at) => (room[at] ? x / deviations[at] : 0));
  const found = ESTIMATES[Math.min(axes.length, 3) - 1](axes, white, deviations, room, knownWhite);
  const shrunk = axes.length > 1 ? found.map((x, at) => (room[at] ? x : 0)) : found;
  const interaction = alongAxes(
    axes,
    shrunk.map((x, at) => x * deviations[at]),
    (line, axis) => valuesOf(bases[axis], line),
  );
  return known.map((count, cell) => count + interaction[cell]);
}

/** Whether a cell's margins, on the axes that are not trees, leave it room for two standard deviations of its noise. */
export function roomOf(axes: readonly Axis[], implied: readonly number[], deviations: readonly number[]): boolean[] {
  const inners = axes.map((_, axis) => axes.slice(axis + 1).reduce((product, { size }) => product * size, 1));
  const codeOf = (cell: number, axis: number) => Math.floor(cell / inners[axis]) % axes[axis].size;
  const margins = axes.map(({ size }, axis) => {
    const sums = new Array(size).fill(0);
    for (const [cell, count] of implied.entries()) sums[codeOf(cell, axis)] += count;
    return sums;
  });
  return implied.map((_, cell) =>
    axes.every(({ tree }, axis) => tree || margins[axis][codeOf(cell, axis)] >= 2 * deviations[cell]),
  );
}

const ESTIMATES = [shrunkColumn, shrunkPair, shrunkCells];

function shrunkColumn(axes: readonly Axis[], white: number[], deviations: number[]): number[] {
  const line = centred(axes, white, deviations);
  const [{ tree, codes }] = axes;
  const count = tree ? 32 : codes;
  const basis = tree ? treeBasis({ ...axes[0], tree: false }) : basisOf(codes, line.length);
  const along = coefficients(basis, line);
  const kept = count ? softened(along.slice(1, count), 1) : [];
  return valuesOf(basis, count ? [along[0], ...kept, ...along.slice(count)] : along);
}

function shrunkPair(
  axes: readonly Axis[],
  noisy: number[],
  deviations: number[],
  room: boolean[],
  known: number[],
): number[] {
  const white = centred(axes, noisy, deviations).map((x, at) => (room[at] ? x : 0));
  const { signal, rest } = shrunkValues(reshaped(white, axes[1].size));
  const cells = softened(rest.flat(), 1);
  const lifted = signal.flat().map((x, at) => x + cells[at]);
  return givenBack(white, averaged(axes, white, lifted), known);
}

function shrunkCells(axes: readonly Axis[], noisy: number[], _: number[], room: boolean[]): number[] {
  const white = noisy.map((x, at) => (room[at] ? x : 0));
  return givenBack(white, averaged(axes, white, softened(white, 1)));
}

/**
 * The estimate plus part of what it removed from the white table: 35 % if the estimate is as long as the white table,
 * less if it is shorter. Both are taken together with what is known.
 */
function givenBack(white: readonly number[], estimate: readonly number[], known?: readonly number[]): number[] {
  const square = (table: readonly number[]) => table.reduce((sum, x, at) => sum + (x + (known?.[at] ?? 0)) ** 2, 0);
  const part = square(white) ? 0.35 * Math.min(1, square(estimate) / square(white)) : 0;
  return estimate.map((x, at) => (1 - part) * x + part * white[at]);
}

/** The estimate; if an axis is ordered, its mean with the shrunk Haar transform, which has the weight of a third. */
function averaged(axes: readonly Axis[], white: readonly number[], estimate: number[]): number[] {
  if (!axes.some(({ codes }) => codes)) return estimate;
  const bases = axes.map(({ codes, size }) => basisOf(codes, size));
  const along = alongAxes(axes, white, (line, axis) => coefficients(bases[axis], line));
  const smooth = alongAxes(axes, softened(along, 1), (line, axis) => valuesOf(bases[axis], line));
  return estimate.map((x, at) => (2 * x + smooth[at]) / 3);
}

/** Every line along every axis moved to the nearest one with sum 0, in units of noise. */
function centred(axes: readonly Axis[], white: readonly number[], deviations: readonly number[]): number[] {
  const weights = axes.map((axis) => treeBasis(axis).map((vector) => vector.reduce((a, b) => a + b, 0)));
  const pairs = white.map((x, at) => ({ x, deviation: deviations[at] }));
  return alongAxes(axes, pairs, (line, axis) => {
    const normal = line.map(({ deviation }, at) => weights[axis][at] * deviation);
    const length = normal.reduce((sum, entry) => sum + entry ** 2, 0);
    const sum = line.reduce((total, { x }, at) => total + x * normal[at], 0);
    return line.map(({ x, deviation }, at) => ({ x: x - (normal[at] * sum) / length, deviation }));
  }).map(({ x }) => x);
}

/** Replaces each line along the first axis, then along the second, and so on. */
export function alongAxes<T>(
  axes: readonly Axis[],
  table: readonly T[],
  replace: (line: T[], axis: number) => T[],
): T[] {
  const result = [...table];
  let inner = table.length;
  for (const [axis, { size }] of axes.entries()) {
    inner /= size;
    for (let first = 0; first < table.length; first++) {
      if (Math.floor(first / inner) % size) continue;
      const line = Array.from({ length: size }, (_, code) => result[first + code * inner]);
      for (const [code, entry] of replace(line, axis).entries()) result[first + code * inner] = entry;
    }
  }
  return result;
}

const combine = (a: Matrix, b: Matrix, f: (x: number, y: number) => number): Matrix =>
  a.map((row, i) => row.map((x, j) => f(x, b[i][j])));

const transposed = (matrix: Matrix): Matrix => matrix[0].map((_, column) => matrix.map((row) => row[column]));

const reshaped = (cells: number[], width: number): Matrix =>
  Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));

/**
 * Each singular value y becomes √((y² − a − b)² − 4ab)/y if y > √a + √b; otherwise it stays in the rest. a and b are
 * one less than the numbers of rows and columns that are not all 0.
 */
function shrunkValues(matrix: Matrix): { signal: Matrix; rest: Matrix } {
  const linesOf = (lines: Matrix) => lines.filter((line) => line.some((x) => x !== 0)).length;
  const [a, b] = [matrix, transposed(matrix)].map((lines) => linesOf(lines) - 1);
  let signal = matrix.map((row) => row.map(() => 0));
  let rest = matrix;
  for (const { value: y, left, right } of singularValues(matrix)) {
    if (y <= Math.sqrt(a) + Math.sqrt(b)) continue;
    const kept = Math.sqrt((y * y - a - b) ** 2 - 4 * a * b) / y;
    const outer = left.map((u) => right.map((v) => u * v));
    signal = combine(signal, outer, (x, part) => x + kept * part);
    rest = combine(rest, outer, (x, part) => x - y * part);
  }
  return { signal, rest };
}

/** One-sided Jacobi: rotates the columns until all are orthogonal. Their lengths are then the singular values. */
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

/** The Haar basis on the first `ordered` of `size` codes; each of the others is its own basis vector. */
function basisOf(ordered: number, size: number): number[][] {
  const haar = ordered ? haarBasis(ordered) : [];
  const rest = Array.from({ length: size - ordered }, (_, index) => index + ordered);
  return [
    ...haar.map((vector) => [...vector, ...rest.map(() => 0)]),
    ...rest.map((code) => Array.from({ length: size }, (_, at) => +(at === code))),
  ];
}
