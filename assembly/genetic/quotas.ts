// How many rows get each code at the start of a search: proportional to weights, as exactly as whole rows allow.
import { STREAM_QUOTA } from "../layout";
import { drawWords, word } from "../philox";

/**
 * Writes the codes of a column for `startColumn` to put in random order, and where those for each group of rows begin.
 * A group consists of the rows with one code of another column, or in one cell of a table, or of all rows. Systematic
 * sampling: there are as many equally spaced points, with a random start, as rows in the group, and a code gets a row
 * for each point in its weight.
 * @param weights f64[groups][size], 0 or more; where all of a group's are 0, its codes are equally frequent
 * @param given u32[rows]: the group of each row, below `groups`; 0 where there is one group
 * @param codes u16[rows], replaced
 * @param starts u32[groups], replaced
 */
export function quotaCodes(
  weights: usize,
  groups: u32,
  size: u32,
  given: usize,
  rows: u32,
  seed: u32,
  column: u32,
  codes: usize,
  starts: usize,
): void {
  countGroups(given, rows, groups, starts);
  let next: u32 = 0;
  for (let group: u32 = 0; group < groups; group++, weights += <usize>size << 3) {
    if (!(group & 15)) drawWords(seed, STREAM_QUOTA, column, group >> 4);
    const start = starts + (<usize>group << 2);
    const held = load<u32>(start);
    store<u32>(start, next);
    fillQuotas(weights, size, held, <f64>word(group) / 4294967296, codes + (<usize>next << 1));
    next += held;
  }
}

function countGroups(given: usize, rows: u32, groups: u32, counts: usize): void {
  memory.fill(counts, 0, <usize>groups << 2);
  if (!given) return store<u32>(counts, rows);
  for (const end = given + (<usize>rows << 2); given < end; given += 4) {
    const count = counts + ((<usize>load<u32>(given)) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
}

/** @param offset where the first point lies within its step, 0 … 1 */
function fillQuotas(weights: usize, size: u32, rows: u32, offset: f64, codes: usize): void {
  let sum: f64 = 0;
  for (let at: usize = 0; at < <usize>size << 3; at += 8) sum += load<f64>(weights + at);
  const isFlat = !(sum > 0);
  if (isFlat) sum = <f64>size;
  let reached: f64 = 0;
  let points: u32 = 0;
  for (let code: u32 = 0; code < size; code++) {
    reached += isFlat ? 1 : load<f64>(weights + (<usize>code << 3));
    for (const end = <u32>min<f64>(<f64>rows, floor((reached / sum) * <f64>rows + offset)); points < end; points++)
      store<u16>(codes + (<usize>points << 1), <u16>code);
  }
}
