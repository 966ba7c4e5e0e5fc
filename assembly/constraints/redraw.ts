// New values for the linked columns of a row, inside the bins that it has.
import { LINKED_ROW } from "../layout";
import { codeIn, columnsOf, firstOf, lastOf, scaleOf, setStored, storedAt, storedIn } from "./scale";
import { boundsOf, firstIn, setFirst, setLast, solve } from "./solver";

/** The largest number of values tried when one row is redrawn. */
const REDRAW_TRIES = 64;

/** Redraws the values of a row inside their bins. @returns whether it found some that satisfy the constraints */
export function redraw(linked: usize, row: u32): bool {
  const bounds = boundsOf(linked);
  for (let column: u32 = 0; column < columnsOf(linked); column++) {
    const scale = scaleOf(linked, column);
    const code = codeIn(scale, row);
    const first = firstOf(linked, scale, code);
    const last = lastOf(linked, scale, code);
    setFirst(bounds, column, first > last ? NaN : first);
    setLast(linked, bounds, column, first > last ? storedIn(scale, row) : last);
  }
  store<u32>(linked, row, LINKED_ROW);
  const found = solve(linked, REDRAW_TRIES);
  if (!found) return false;
  for (let column: u32 = 0; column < columnsOf(linked); column++) {
    const position = firstIn(found, column);
    const scale = scaleOf(linked, column);
    if (!isNaN(position)) setStored(scale, row, storedAt(linked, scale, position));
  }
  return true;
}
