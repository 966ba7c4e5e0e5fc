// Changes the values of decoded rows until all of them satisfy the constraints of linked columns.
import { alloc, mark, rewind } from "../arena";
import { CONSTRAINT_COUNT, LINKED_ORDERS, LINKED_SUMS, LINKED_TOTALS, OK, OUT_OF_MEMORY } from "../layout";
import { transplant } from "./donors";
import { constraintOf } from "./lists";
import { redraw } from "./redraw";
import { isBroken, memberOf, sumIn } from "./row-tests";
import {
  codeAt,
  codeIn,
  columnsOf,
  firstFrom,
  firstOf,
  lastOf,
  lengthOf,
  numberAt,
  partOf,
  scaleOf,
  setCode,
  setStored,
  storedAt,
} from "./scale";
import { NO_TUPLE, Tuples, openTuples, tupleOf } from "./tuples";

/** Sets the total of a sum to the sum of its parts, if the column has that number: inside its bin, or anywhere. */
function deriveTotal(linked: usize, sum: usize, row: u32, inside: bool): void {
  const total = memberOf(sum, 0);
  const scale = scaleOf(linked, total);
  const number = sumIn(linked, sum, row);
  if (isNaN(number)) return;
  const position = firstFrom(linked, scale, number);
  const code = codeIn(scale, row);
  const first = firstOf(linked, scale, code);
  const last = lastOf(linked, scale, code);
  if (first > last || position >= lengthOf(scale) || numberAt(linked, scale, position) != number) return;
  const leaves = position < first || position > last;
  if (leaves && inside) return;
  const stored = storedAt(linked, scale, position);
  setStored(scale, row, stored);
  if (leaves) setCode(scale, row, codeAt(linked, scale, stored));
}

/** Sets the totals of a row, those that are parts of others first. */
function derive(linked: usize, row: u32, inside: bool): void {
  const totals = partOf(linked, linked, LINKED_TOTALS);
  for (let index: u32 = 0; index < load<u32>(linked, LINKED_SUMS); index++) {
    const sum = load<u32>(linked, LINKED_ORDERS) + load<u32>(totals + (<usize>index << 2));
    deriveTotal(linked, constraintOf(linked, sum), row, inside);
  }
}

/**
 * Redraws the values of a row inside their bins.
 * @param failed combinations of bins in which no values were found before
 * @returns whether it found some that satisfy the constraints
 */
function redrawUnlessFailed(linked: usize, row: u32, failed: Tuples): bool {
  if (failed.count && tupleOf(linked, failed, row, false) != NO_TUPLE) return false;
  if (redraw(linked, row)) return true;
  tupleOf(linked, failed, row, true);
  return false;
}

/** Repairs rows with the memory that the arena has left. @returns whether it was enough */
function repairWithin(linked: usize, rows: u32): bool {
  let broken: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) if (isBroken(linked, row)) broken++;
  if (!broken) return true;
  const hopeless = alloc(<usize>broken << 2);
  const failed = openTuples(linked, broken);
  if (!hopeless || !failed) return false;
  let count: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    if (!isBroken(linked, row)) continue;
    derive(linked, row, true);
    if (!isBroken(linked, row) || redrawUnlessFailed(linked, row, changetype<Tuples>(failed))) continue;
    derive(linked, row, false);
    if (!isBroken(linked, row)) continue;
    store<u32>(hopeless + (<usize>count << 2), row);
    count++;
  }
  return !count || transplant(linked, rows, hopeless, count);
}

/**
 * Changes rows until all of them satisfy the constraints. For a row that does not, these steps are tried in order:
 * totals that fit, if they stay within their bins; new values from the bins of its linked columns; totals that fit,
 * wherever they are; the bins of another row that satisfies the constraints, one of those nearest to it, with new
 * values (or, if none are found, that row's); the witness, if there is no such row. Other rows are left unchanged. The
 * result depends only on the LINKED and its rows: the real table plays no part.
 * @param linked a LINKED; its rows' stored codes are changed, and the codes that queries see become meaningless
 * @returns a status
 */
export function repairRows(linked: usize, rows: u32): i32 {
  const top = mark();
  const repaired = repairWithin(linked, rows);
  rewind(top);
  return repaired ? OK : OUT_OF_MEMORY;
}
