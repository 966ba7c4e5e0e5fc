// Lists of combinations: which rows of stored codes are in one. A list has a table of its combinations by their hashes.
import {
  CONSTRAINT_COMBINATIONS,
  CONSTRAINT_COUNT,
  CONSTRAINT_EXEMPT,
  CONSTRAINT_ROWS,
  CONSTRAINT_SIZE,
  CONSTRAINT_TABLE,
  LINKED_CONSTRAINTS,
  LINKED_LISTS,
  LINKED_ORDERS,
  LINKED_SUMS,
} from "../layout";
import { partOf } from "./scale";

/** A constraint: orders come first, then sums, then lists. */
@inline
export function constraintOf(linked: usize, index: u32): usize {
  return linked + load<u32>(partOf(linked, linked, LINKED_CONSTRAINTS) + (<usize>index << 2));
}

/** A list of combinations, by its place among the lists. */
@inline
export function listOf(linked: usize, index: u32): usize {
  return constraintOf(linked, load<u32>(linked, LINKED_ORDERS) + load<u32>(linked, LINKED_SUMS) + index);
}

/** The stored codes of a combination, f64[count]. */
@inline
export function combinationOf(linked: usize, list: usize, index: u32): usize {
  return partOf(linked, list, CONSTRAINT_COMBINATIONS) + ((<usize>index * load<u32>(list, CONSTRAINT_COUNT)) << 3);
}

function hashOf(codes: usize, count: u32): u32 {
  let hash: u32 = 0;
  for (const end = codes + (<usize>count << 3); codes < end; codes += 8) {
    const code = <u64>(load<f64>(codes) + 1);
    hash = (hash ^ <u32>code ^ <u32>(code >> 32)) * 0x9e3779b1;
    hash ^= hash >> 15;
  }
  return hash;
}

function isEqual(some: usize, others: usize, count: u32): bool {
  for (let index: u32 = 0; index < count; index++, some += 8, others += 8)
    if (load<f64>(some) != load<f64>(others)) return false;
  return true;
}

/** Where a combination is in the table of its list, or would be. */
function entryOf(linked: usize, list: usize, codes: usize): usize {
  const count = load<u32>(list, CONSTRAINT_COUNT);
  const table = partOf(linked, list, CONSTRAINT_TABLE);
  const last = load<u32>(list, CONSTRAINT_SIZE) - 1;
  let place = hashOf(codes, count) & last;
  let entry = table + (<usize>place << 2);
  while (load<u32>(entry) && !isEqual(combinationOf(linked, list, load<u32>(entry) - 1), codes, count)) {
    place = (place + 1) & last;
    entry = table + (<usize>place << 2);
  }
  return entry;
}

/** Fills the tables of all lists. Anything else that reads a LINKED comes after this. */
export function indexLists(linked: usize): void {
  for (let index: u32 = 0; index < load<u32>(linked, LINKED_LISTS); index++) {
    const list = listOf(linked, index);
    for (let row: u32 = 0; row < load<u32>(list, CONSTRAINT_ROWS); row++)
      store<u32>(entryOf(linked, list, combinationOf(linked, list, row)), row + 1);
  }
}

/** Whether a row is exempt from a list. @param codes f64[count]: its stored codes; NaN for those that are open */
export function isExempt(linked: usize, list: usize, codes: usize): bool {
  const exempt = partOf(linked, list, CONSTRAINT_EXEMPT);
  for (let index: u32 = 0; index < load<u32>(list, CONSTRAINT_COUNT); index++) {
    const offset = <usize>index << 3;
    if (load<f64>(codes + offset) == load<f64>(exempt + offset)) return true;
  }
  return false;
}

/** Whether a row is in a list, or exempt from it. @param codes f64[count]: its stored codes */
export function allows(linked: usize, list: usize, codes: usize): bool {
  return load<u32>(entryOf(linked, list, codes)) != 0 || isExempt(linked, list, codes);
}
