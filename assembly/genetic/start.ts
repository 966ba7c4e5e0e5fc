// Where a search begins: rows drawn column by column, each by itself or given one that was drawn before.
import { STREAM_SHUFFLE, STREAM_UNIFORM } from "../layout";
import { below, drawWords, word } from "../philox";

/**
 * A column whose codes are given for all rows together, or for each group of rows, and put there in random order.
 * @param out u16[rows]
 * @param given u32[rows]: the group of each row; 0 where there is one group
 * @param codes u16[rows]: the codes for the rows of group 0, then for those of group 1, and so on
 * @param starts u32[groups]: where those for each group begin; overwritten
 * @param order u32[rows], scratch
 */
export function startColumn(
  out: usize,
  rows: u32,
  given: usize,
  codes: usize,
  starts: usize,
  order: usize,
  seed: u32,
  column: u32,
): void {
  for (let row: u32 = 0; row < rows; row++) store<u32>(order + (<usize>row << 2), row);
  // Fisher–Yates from the end: the rows take their codes in the order in which they are drawn, the i-th left by the
  // i-th word of the stream.
  let drawn: u32 = -1;
  for (let left = rows; left-- > 0; ) {
    if (left >> 4 != drawn) drawWords(seed, STREAM_SHUFFLE, column, (drawn = left >> 4));
    const there = order + ((<usize>below(left + 1, word(left))) << 2);
    const row = <usize>load<u32>(there);
    store<u32>(there, load<u32>(order + (<usize>left << 2)));
    const next = given ? starts + ((<usize>load<u32>(given + (row << 2))) << 2) : starts;
    const place = <usize>load<u32>(next);
    store<u32>(next, <u32>place + 1);
    store<u16>(out + (row << 1), load<u16>(codes + (place << 1)));
  }
}

/**
 * A column of uniform codes.
 * @param out u16[rows]
 */
export function uniformColumn(out: usize, rows: u32, size: u32, seed: u32, column: u32): void {
  for (let row: u32 = 0; row < rows; row++) {
    if (!(row & 15)) drawWords(seed, STREAM_UNIFORM, column, row >> 4);
    store<u16>(out + (<usize>row << 1), below(size, word(row)));
  }
}
