// Rows by the codes that queries see in all linked columns.
import { alloc } from "../arena";
import { codeIn, columnsOf, scaleOf } from "./scale";

/** Numbers distinct combinations of codes in order of first appearance. */
@unmanaged
export class Tuples {
  /** How many there are. */
  count: u32;
  /** u16[count][columns]: the combinations. */
  codes: usize;
  /** u32[size], a power of two: each number plus 1 at a place that follows from its codes; 0 where there is none. */
  table: usize;
  size: u32;
}

export const NO_TUPLE: u32 = 0xffffffff;

/** Room for `most` combinations; 0 where the memory cannot grow. */
export function openTuples(linked: usize, most: u32): usize {
  let size: u32 = 2;
  while (size < 2 * most) size <<= 1;
  const tuples = changetype<Tuples>(alloc(offsetof<Tuples>()));
  if (!changetype<usize>(tuples)) return 0;
  tuples.size = size;
  tuples.table = alloc(<usize>size << 2);
  // One more, where a row's codes stand before they are known to be new.
  tuples.codes = alloc((<usize>most + 1) * (columnsOf(linked) << 1));
  return tuples.table && tuples.codes ? changetype<usize>(tuples) : 0;
}

/** The codes of a combination, u16[columns]. */
@inline
export function tupleAt(linked: usize, tuples: Tuples, number: u32): usize {
  return tuples.codes + <usize>number * (columnsOf(linked) << 1);
}

/** The number of a row's combination, a new one if `adds`; otherwise NO_TUPLE if it has none. */
export function tupleOf(linked: usize, tuples: Tuples, row: u32, adds: bool): u32 {
  const codes = tupleAt(linked, tuples, tuples.count);
  const bytes = <usize>columnsOf(linked) << 1;
  let hash: u32 = 0;
  for (let column: u32 = 0; column < columnsOf(linked); column++) {
    const code = codeIn(scaleOf(linked, column), row);
    store<u16>(codes + (<usize>column << 1), code);
    hash = (hash ^ code) * 0x9e3779b1;
    hash ^= hash >> 15;
  }
  let place = hash & (tuples.size - 1);
  let known = load<u32>(tuples.table + (<usize>place << 2));
  while (known && memory.compare(tupleAt(linked, tuples, known - 1), codes, bytes) != 0) {
    place = (place + 1) & (tuples.size - 1);
    known = load<u32>(tuples.table + (<usize>place << 2));
  }
  if (known) return known - 1;
  if (!adds) return NO_TUPLE;
  tuples.count++;
  store<u32>(tuples.table + (<usize>place << 2), tuples.count);
  return tuples.count - 1;
}

/** Rows grouped by equal combinations, in order of first appearance. */
@unmanaged
export class Groups {
  tuples: Tuples;
  /** u32[count + 1]: where each group begins among the members. */
  starts: usize;
  /** u32[]: the rows, group after group. */
  members: usize;
}

/** Groups `count` rows, u32[count]; 0 where the memory cannot grow. */
export function groupRows(linked: usize, rows: usize, count: u32): usize {
  const groups = changetype<Groups>(alloc(offsetof<Groups>()));
  const tuples = openTuples(linked, count);
  const bytes = (<usize>count + 2) << 2;
  const numbers = alloc(bytes);
  if (!changetype<usize>(groups)) return 0;
  groups.starts = alloc(bytes);
  groups.members = alloc(bytes);
  if (!tuples || !numbers || !groups.starts || !groups.members) return 0;
  groups.tuples = changetype<Tuples>(tuples);
  // Sizes are counted two places further on, so their sums say one place further on where each group begins. That place
  // moves with each row that is put there, and ends where the next group begins.
  for (let index: u32 = 0; index < count; index++) {
    const offset = <usize>index << 2;
    const number = tupleOf(linked, groups.tuples, load<u32>(rows + offset), true);
    store<u32>(numbers + offset, number);
    const size = groups.starts + ((<usize>number + 2) << 2);
    store<u32>(size, load<u32>(size) + 1);
  }
  for (let number: u32 = 2; number <= groups.tuples.count; number++) {
    const start = groups.starts + (<usize>number << 2);
    store<u32>(start, load<u32>(start) + load<u32>(start - 4));
  }
  for (let index: u32 = 0; index < count; index++) {
    const offset = <usize>index << 2;
    const end = groups.starts + ((<usize>load<u32>(numbers + offset) + 1) << 2);
    const place = load<u32>(end);
    store<u32>(groups.members + (<usize>place << 2), load<u32>(rows + offset));
    store<u32>(end, place + 1);
  }
  return changetype<usize>(groups);
}
