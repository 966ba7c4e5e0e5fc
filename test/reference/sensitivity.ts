import {
  REPLACE,
  SCORE_ABOVE,
  SCORE_ABSOLUTE,
  SCORE_BELOW,
  SCORE_L1,
  SCORE_L2,
  SCORE_MAX,
} from "../../src/engine/layout.js";

/** What the engine returns for whatever does not fit 64 bits. */
const MOST = 2n ** 64n - 1n;
const bounded = (value: bigint) => (value < MOST ? value : MOST);

/** What one row changes: a cell of each partition, two of each where the row is replaced, and every free predicate. */
function rowChange(partitions: number, free: number, relation: number): bigint {
  return BigInt(partitions) * (relation === REPLACE ? 2n : 1n) + BigInt(free);
}

/** Δ², the square of the L2 sensitivity of an item's counts, for units of up to maxRows rows. */
export function l2SquaredOf(partitions: number, free: number, relation: number, maxRows: number): bigint {
  return bounded(rowChange(partitions, free, relation) * BigInt(maxRows) ** 2n);
}

/**
 * Δ² of a table that is centred along axes of these sizes (0: not along this one), from the vectors of all pairs of
 * rows as products of vectors for each axis, or 2^64 − 1 where these sizes multiply to more than `most`.
 */
export function centredSquaredOf(centred: readonly number[], relation: number, maxRows: number, most: number): bigint {
  if (centred.reduce((product, size) => product * Math.max(1, size), 1) > most) return MOST;
  const squareOf = (size: number) => (size ? (size - 1) ** 2 + (size - 1) : 1);
  const pairOf = (size: number) => (size ? -2 * (size - 1) + (size - 2) : 0);
  const product = (differing: number) =>
    centred.reduce((product, size, axis) => product * ((differing >> axis) & 1 ? pairOf(size) : squareOf(size)), 1);
  const all = product(0);
  const changes = Array.from({ length: 2 ** centred.length - 1 }, (_, at) => 2 * (all - product(at + 1)));
  return BigInt(relation === REPLACE ? Math.max(all, ...changes) : all) * BigInt(maxRows) ** 2n;
}

/** Δ of a score in units of 2^−scaleBits counts; of the rounded root, where the square under it fits 64 bits. */
export function scoreSensitivityOf(
  kind: number,
  partitions: number,
  free: number,
  relation: number,
  maxRows: number,
  scaleBits: number,
): bigint {
  const [rows, scale] = [BigInt(maxRows), 2n ** BigInt(scaleBits)];
  const change = rowChange(partitions, free, relation);
  const square = change * scale ** 2n;
  if (kind === SCORE_L2 && square >= MOST) return MOST;
  const deltas: Record<number, bigint> = {
    [SCORE_MAX]: scale * rows,
    [SCORE_ABSOLUTE]: scale * rows,
    [SCORE_ABOVE]: scale * rows,
    [SCORE_BELOW]: scale * rows,
    [SCORE_L1]: change * scale * rows,
    [SCORE_L2]: ceilingRoot(square) * rows,
  };
  return bounded(deltas[kind]);
}

/** The least integer whose square is no smaller, by bisection. */
function ceilingRoot(square: bigint): bigint {
  let [low, high] = [0n, 2n ** 33n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle * middle >= square) high = middle;
    else low = middle + 1n;
  }
  return low;
}
