// A person with more rows than the unit allows keeps a uniformly chosen subset of them, drawn before anything is
// counted.
import { ARGUMENT_REFUSED, NO_PERSON, OK } from "../layout";
import { maxRows } from "./ledger";
import { below, openReservoir } from "./stream";

export const SLOT_BYTES = 8;
const ROWS_LEFT: usize = 0;
const SLOTS_LEFT: usize = 4;

/**
 * Marks in `keep` (u8, one per row) which rows stay: min(maxRows, c) of each person's c rows, with all subsets of that
 * size equally likely. `persons` (u32, one per row) are numbers below `people`, or NO_PERSON for a person with one row.
 * `scratch` has 8 bytes per person. Allowed once per key. Returns OK, NO_KEY, ITEM_REFUSED, or ARGUMENT_REFUSED for an
 * invalid person number.
 *
 * Proof definition: whether a person's rows stay depends on that person's rows and on words drawn for them alone, and
 * at most maxRows of them stay. So one person changes at most maxRows of the rows counted.
 * Source: Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S.
 */
export function keepRows(persons: usize, rows: u32, people: u32, scratch: usize, keep: usize): i32 {
  for (let row: u32 = 0; row < rows; row++) {
    const person = personOf(persons, row);
    if (person >= people && person != <u32>NO_PERSON) return ARGUMENT_REFUSED;
  }
  const refusal = openReservoir();
  if (refusal != OK) return refusal;
  countRows(persons, rows, people, scratch);
  for (let row: u32 = 0; row < rows; row++) {
    const person = personOf(persons, row);
    store<u8>(keep + row, person == <u32>NO_PERSON || keeps(slotsOf(scratch, person)) ? 1 : 0);
  }
  return OK;
}

function countRows(persons: usize, rows: u32, people: u32, scratch: usize): void {
  for (let person: u32 = 0; person < people; person++) {
    store<u32>(slotsOf(scratch, person), 0, ROWS_LEFT);
    store<u32>(slotsOf(scratch, person), maxRows(), SLOTS_LEFT);
  }
  for (let row: u32 = 0; row < rows; row++) {
    const person = personOf(persons, row);
    if (person == <u32>NO_PERSON) continue;
    const slots = slotsOf(scratch, person);
    store<u32>(slots, load<u32>(slots, ROWS_LEFT) + 1, ROWS_LEFT);
  }
}

// Keeps the person's next row with probability slots left / rows left.
function keeps(slots: usize): bool {
  const rowsLeft = load<u32>(slots, ROWS_LEFT);
  const slotsLeft = load<u32>(slots, SLOTS_LEFT);
  store<u32>(slots, rowsLeft - 1, ROWS_LEFT);
  if (below(rowsLeft) >= slotsLeft) return false;
  store<u32>(slots, slotsLeft - 1, SLOTS_LEFT);
  return true;
}

function personOf(persons: usize, row: u32): u32 {
  return load<u32>(persons + (<usize>row << 2));
}

function slotsOf(scratch: usize, person: u32): usize {
  return scratch + <usize>person * SLOT_BYTES;
}
