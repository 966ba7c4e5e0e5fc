// Sensitivity follows from structure. An item is a union of partitions (a row is in at most one cell of each) and of
// free predicates (a row may satisfy any number of them). A unit has up to maxRows rows.
import {
  ADD_REMOVE,
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
