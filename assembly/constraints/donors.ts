// Bins from another row, for rows in which no other change satisfies the constraints.
import { alloc } from "../arena";
import { LINKED_SEED, LINKED_WITNESS, STREAM_DONOR } from "../layout";
import { drawWords, word as randomWord } from "../philox";
import { redraw } from "./redraw";
import { codeIn, codesOf, columnsOf, partOf, scaleOf, setCode, setStored, storedIn } from "./scale";
import { pick } from "./solver";
import { Groups, groupRows, tupleAt } from "./tuples";

/** The largest number of rows searched for donors. */
const MOST_DONORS: u32 = 65536;
/**
 * The largest number of comparisons between kinds of rows and kinds of donors. At least LEAST_KINDS kinds of donors are
 * always kept.
 */
const MOST_COMPARISONS: u32 = 1 << 22;
const LEAST_KINDS: u32 = 1024;

/** Donors, and which of them are nearest to a kind of rows. */
@unmanaged
class Donors {
  groups: Groups;
  /** How many kinds are compared. */
  count: u32;
  /** u32[count]: how far each is, and the first column in which it has the same code; there may be none. */
  distances: usize;
  shared: usize;
  /** u32[count]: the nearest ones. */
  near: usize;
  nearCount: u32;
  /** u32[count]: how many rows these are, each with those before it. */
  ends: usize;
  /** u32[columns + 1], scratch: counts, then places, of the nearest ones by the column that they share first. */
  places: usize;
}

@inline
function word(list: usize, index: u32): u32 {
  return load<u32>(list + (<usize>index << 2));
}

@inline
function setWord(list: usize, index: u32, value: u32): void {
  store<u32>(list + (<usize>index << 2), value);
}

/** The first rows, up to MOST_DONORS, that are not among `excluded`, ascending u32[count]. */
function otherRows(rows: u32, excluded: usize, count: u32, out: usize): u32 {
  let found: u32 = 0;
  for (let row: u32 = 0, at: u32 = 0; row < rows && found < MOST_DONORS; row++) {
    if (at < count && word(excluded, at) == row) at++;
    else setWord(out, found++, row);
  }
  return found;
}

/**
 * Measures how far each kind of donors is from a combination: by the columns in which they differ. A cell without a
 * value and one with a value differ as much as all columns together.
 * @returns the least distance
 */
function measure(linked: usize, donors: Donors, tuple: usize): u32 {
  const columns = columnsOf(linked);
  let least: u32 = 0xffffffff;
  for (let kind: u32 = 0; kind < donors.count; kind++) {
    const other = tupleAt(linked, donors.groups.tuples, kind);
    let distance: u32 = 0;
    let shared: u32 = columns;
    for (let column = columns; column-- > 0; ) {
      const here = load<u16>(tuple + (<usize>column << 1));
      const there = load<u16>(other + (<usize>column << 1));
      if (here == there) {
        shared = column;
        continue;
      }
      const codes = codesOf(scaleOf(linked, column));
      distance += here >= codes == there >= codes ? 1 : columns;
    }
    setWord(donors.distances, kind, distance);
    setWord(donors.shared, kind, shared);
    least = min(least, distance);
  }
  return least;
}

/**
 * Lists the nearest kinds of donors: those that share an earlier column first, or in the order of their appearance if
 * the nearest ones may share none.
 */
function findNearest(linked: usize, donors: Donors, tuple: usize): void {
  const columns = columnsOf(linked);
  const least = measure(linked, donors, tuple);
  const ordered = least < columns;
  memory.fill(donors.places, 0, (<usize>columns + 2) << 2);
  for (let kind: u32 = 0; kind < donors.count; kind++) {
    if (word(donors.distances, kind) != least) continue;
    const next = ordered ? word(donors.shared, kind) + 1 : 1;
    setWord(donors.places, next, word(donors.places, next) + 1);
  }
  for (let column: u32 = 1; column <= columns; column++)
    setWord(donors.places, column, word(donors.places, column) + word(donors.places, column - 1));
  donors.nearCount = word(donors.places, columns);
  for (let kind: u32 = 0; kind < donors.count; kind++) {
    if (word(donors.distances, kind) != least) continue;
    const column = ordered ? word(donors.shared, kind) : 0;
    const place = word(donors.places, column);
    setWord(donors.near, place, kind);
    setWord(donors.places, column, place + 1);
  }
  let rows: u32 = 0;
  for (let index: u32 = 0; index < donors.nearCount; index++) {
    const start = donors.groups.starts + ((<usize>word(donors.near, index)) << 2);
    rows += load<u32>(start, 4) - load<u32>(start);
    setWord(donors.ends, index, rows);
  }
}

/** The row with this number among those of the nearest kinds. */
function nearRow(donors: Donors, number: u32): u32 {
  let low: u32 = 0;
  for (let high = donors.nearCount - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (word(donors.ends, middle) > number) high = middle;
    else low = middle + 1;
  }
  const before = low ? word(donors.ends, low - 1) : 0;
  const start = word(donors.groups.starts, word(donors.near, low));
  return word(donors.groups.members, start + number - before);
}

/** A random number below `count` for a row. It has a stream of its own, so that values do not follow from donors. */
function donorOf(linked: usize, row: u32, count: u32): u32 {
  drawWords(load<u32>(linked, LINKED_SEED), STREAM_DONOR, 0, row >> 4);
  return <u32>pick(count, randomWord(row));
}

/** Gives a row the linked cells of another one, and redraws them: many rows may have the same donor. */
function copyCells(linked: usize, row: u32, donor: u32): void {
  for (let column: u32 = 0; column < columnsOf(linked); column++) {
    const scale = scaleOf(linked, column);
    setStored(scale, row, storedIn(scale, donor));
    setCode(scale, row, codeIn(scale, donor));
  }
  redraw(linked, row);
}

function copyWitness(linked: usize, row: u32): void {
  const witness = partOf(linked, linked, LINKED_WITNESS);
  for (let column: u32 = 0; column < columnsOf(linked); column++)
    setStored(scaleOf(linked, column), row, load<f64>(witness + (<usize>column << 3)));
}

/**
 * Gives each of some rows the bins of one of the other rows nearest to it, or the witness if there are none.
 * @param broken u32[count], ascending
 * @returns whether there was memory for it
 */
export function transplant(linked: usize, rows: u32, broken: usize, count: u32): bool {
  const others = alloc((<usize>min(rows - count, MOST_DONORS)) << 2);
  if (!others) return false;
  const groups = groupRows(linked, others, otherRows(rows, broken, count, others));
  const kindGroups = groupRows(linked, broken, count);
  const donors = changetype<Donors>(alloc(offsetof<Donors>()));
  if (!groups || !kindGroups || !changetype<usize>(donors)) return false;
  const kinds = changetype<Groups>(kindGroups);
  donors.groups = changetype<Groups>(groups);
  donors.count = min(donors.groups.tuples.count, max(LEAST_KINDS, MOST_COMPARISONS / kinds.tuples.count));
  const bytes = (<usize>donors.count) << 2;
  donors.distances = alloc(bytes);
  donors.shared = alloc(bytes);
  donors.near = alloc(bytes);
  donors.ends = alloc(bytes);
  donors.places = alloc((<usize>columnsOf(linked) + 2) << 2);
  if (!donors.distances || !donors.shared || !donors.near || !donors.ends || !donors.places) return false;
  for (let kind: u32 = 0; kind < kinds.tuples.count; kind++) {
    findNearest(linked, donors, tupleAt(linked, kinds.tuples, kind));
    const found = donors.nearCount ? word(donors.ends, donors.nearCount - 1) : 0;
    for (let member = word(kinds.starts, kind); member < word(kinds.starts, kind + 1); member++) {
      const row = word(kinds.members, member);
      if (found) copyCells(linked, row, nearRow(donors, donorOf(linked, row, found)));
      else copyWitness(linked, row);
    }
  }
  return true;
}
