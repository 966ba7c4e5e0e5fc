// Which rows break a constraint.
import {
  CONSTRAINT_BYTES,
  CONSTRAINT_COUNT,
  CONSTRAINT_KIND,
  CONSTRAINT_LIST,
  CONSTRAINT_ORDER,
  LINKED_LISTS,
  LINKED_ORDERS,
  LINKED_SCRATCH,
  LINKED_SUMS,
} from "../layout";
import { allows, constraintOf } from "./lists";
import { partOf, numberAt, positionOf, scaleOf, storedIn } from "./scale";

/** A column of a constraint, by its place among the linked ones. */
@inline
export function memberOf(constraint: usize, index: u32): u32 {
  return load<u32>(constraint + (<usize>index << 2), CONSTRAINT_BYTES);
}

/** A column's number in a row; NaN if it has none. */
@inline
function numberIn(linked: usize, column: u32, row: u32): f64 {
  const scale = scaleOf(linked, column);
  const position = positionOf(linked, scale, storedIn(scale, row));
  return position < 0 ? NaN : numberAt(linked, scale, position);
}

/** The sum of the numbers of a sum's parts in a row; NaN if one has none. */
export function sumIn(linked: usize, sum: usize, row: u32): f64 {
  let number: f64 = 0;
  for (let index: u32 = 1; index < load<u32>(sum, CONSTRAINT_COUNT); index++)
    number += numberIn(linked, memberOf(sum, index), row);
  return number;
}

/** Whether a row breaks a constraint. A cell without a number breaks nothing, as comparisons with NaN are false. */
function breaks(linked: usize, constraint: usize, row: u32): bool {
  const kind = load<u32>(constraint, CONSTRAINT_KIND);
  if (kind == CONSTRAINT_LIST) {
    const codes = partOf(linked, linked, LINKED_SCRATCH);
    for (let index: u32 = 0; index < load<u32>(constraint, CONSTRAINT_COUNT); index++)
      store<f64>(codes + (<usize>index << 3), storedIn(scaleOf(linked, memberOf(constraint, index)), row));
    return !allows(linked, constraint, codes);
  }
  const first = numberIn(linked, memberOf(constraint, 0), row);
  if (kind == CONSTRAINT_ORDER) return first > numberIn(linked, memberOf(constraint, 1), row);
  return Math.abs(first - sumIn(linked, constraint, row)) > 0;
}

/** Whether a row breaks any of the constraints. */
export function isBroken(linked: usize, row: u32): bool {
  const count = load<u32>(linked, LINKED_ORDERS) + load<u32>(linked, LINKED_SUMS) + load<u32>(linked, LINKED_LISTS);
  for (let index: u32 = 0; index < count; index++) if (breaks(linked, constraintOf(linked, index), row)) return true;
  return false;
}

/**
 * How many rows break a constraint.
 * @param linked a LINKED
 * @param index the constraint's place among all
 */
export function countBroken(linked: usize, index: u32, rows: u32): u32 {
  const constraint = constraintOf(linked, index);
  let broken: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) if (breaks(linked, constraint, row)) broken++;
  return broken;
}
