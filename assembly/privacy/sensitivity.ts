// Sensitivity follows from structure. An item is a union of partitions (a row is in at most one cell of each) and of
// free predicates (a row may satisfy any number of them). A unit has up to maxRows rows.
import {
  ADD_REMOVE,
  MAX_ORDER,
  MOST_CENTRED,
  REPLACE,
  SCORE_ABOVE,
  SCORE_ABSOLUTE,
  SCORE_BELOW,
  SCORE_L1,
  SCORE_L2,
  SCORE_MAX,
} from "../layout";
import { ceilingRoot, saturatingProduct } from "./integers";

/** A sensitivity that no budget pays for: that of a structure, relation or kind of score without a bound. */
const UNBOUNDED = u64.MAX_VALUE;

/** Whether neighbours are defined: a person with several rows is added or removed, never replaced. */
export function isRelation(relation: i32, maxRows: u32): bool {
  return maxRows >= 1 && (relation == ADD_REMOVE || (relation == REPLACE && maxRows == 1));
}

// The L1 norm, and also the squared L2 norm, of the change that one row can make: one cell of each partition (two where
// a row is replaced: the old cell and the new one), and every free predicate once.
function rowChange(partitions: u32, free: u32, relation: i32): u64 {
  return (relation == REPLACE ? 2 : 1) * <u64>partitions + <u64>free;
}

/**
 * Δ², the squared L2 sensitivity of an item's counts: (P + s)·k², or 2P + s where a row is replaced; 2^64 − 1 where
 * that is too large or the relation is invalid.
 *
 * Proof definition: ‖c(D) − c(D′)‖₂² ≤ Δ² for all tables D, D′ that differ by one unit of at most maxRows rows.
 */
export function l2Squared(partitions: u32, free: u32, relation: i32, maxRows: u32): u64 {
  if (!isRelation(relation, maxRows)) return UNBOUNDED;
  return saturatingProduct(rowChange(partitions, free, relation), <u64>maxRows * <u64>maxRows);
}

/**
 * Δ², the squared L2 sensitivity of a table that is centred along some axes (`centreCounts`); 2^64 − 1 where that is
 * too large, the relation is invalid, or the sizes of these axes multiply to more than MOST_CENTRED. Where a row is
 * replaced, it is the largest change for any columns in which the new row may differ.
 * @param centred u32[axes]: the size of each axis along which the counts are centred, 0 for the others
 *
 * Proof definition: as for `l2Squared`. A row's vector is the product of one vector for each axis: size · e − 1, of
 * squared length size · (size − 1), or e itself. Two rows with different codes have vectors for that axis whose product
 * is −size, or 0.
 */
export function centredSquared(centred: usize, axes: u32, relation: i32, maxRows: u32): u64 {
  if (!isRelation(relation, maxRows) || axes > <u32>MAX_ORDER || !isCentrable(centred, axes)) return UNBOUNDED;
  const ofRow = centredProduct(centred, axes, 0);
  let change = <u64>ofRow;
  if (relation == REPLACE)
    for (let differing: u32 = 1; differing >> axes == 0; differing++)
      change = max<u64>(change, <u64>(2 * (ofRow - centredProduct(centred, axes, differing))));
  return saturatingProduct(change, <u64>maxRows * <u64>maxRows);
}

function isCentrable(centred: usize, axes: u32): bool {
  let cells: u64 = 1;
  for (let axis: u32 = 0; axis < axes && cells <= <u64>MOST_CENTRED; axis++)
    cells *= max<u32>(1, load<u32>(centred + (<usize>axis << 2)));
  return cells <= <u64>MOST_CENTRED;
}

/** The product of the vectors of two rows that differ in these columns, a bit for each. */
function centredProduct(centred: usize, axes: u32, differing: u32): i64 {
  let product: i64 = 1;
  for (let axis: u32 = 0; axis < axes; axis++) {
    const size = <i64>load<u32>(centred + (<usize>axis << 2));
    if ((differing >> axis) & 1) product *= -size;
    else if (size) product *= size * (size - 1);
  }
  return product;
}

/**
 * Δ of an integer score (SCORE_*), in units of 2^−scaleBits counts; scaleBits ≤ 32. For several candidates, partitions
 * and free are the largest of any of them. 2^64 − 1 where Δ is too large, or the kind or the relation is invalid.
 *
 * Proof definition: |u(D) − u(D′)| ≤ Δ for every candidate and all tables D, D′ that differ by one unit of at most
 * maxRows rows, where the targets are public integers. This includes the rounded root: |x − y| ≤ d implies |⌊x⌋ − ⌊y⌋|
 * ≤ ⌈d⌉.
 */
export function scoreSensitivity(
  kind: i32,
  partitions: u32,
  free: u32,
  relation: i32,
  maxRows: u32,
  scaleBits: u32,
): u64 {
  if (!isRelation(relation, maxRows) || scaleBits > 32) return UNBOUNDED;
  const scale = <u64>1 << scaleBits;
  const change = rowChange(partitions, free, relation);
  if (kind == SCORE_MAX || kind == SCORE_ABSOLUTE || kind == SCORE_ABOVE || kind == SCORE_BELOW)
    return saturatingProduct(scale, maxRows);
  if (kind == SCORE_L1) return saturatingProduct(saturatingProduct(change, scale), maxRows);
  if (kind == SCORE_L2) return rootSensitivity(saturatingProduct(saturatingProduct(change, scale), scale), maxRows);
  return UNBOUNDED;
}

function rootSensitivity(square: u64, maxRows: u32): u64 {
  return square == UNBOUNDED ? UNBOUNDED : saturatingProduct(ceilingRoot(square), maxRows);
}
