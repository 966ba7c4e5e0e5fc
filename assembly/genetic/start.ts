// Where a search begins: rows drawn column by column, each column by itself.
import { STREAM_SHUFFLE, STREAM_UNIFORM } from "../layout";
import { below, drawBlock, word } from "../philox";

/**
 * A column that holds each code as often as asked for, in random order.
 * @param out u16[rows], rows the sum of the quotas
 * @param quotas u32[size]
 */
export function drawColumn(out: usize, quotas: usize, size: u32, seed: u32, column: u32): void {
  let rows: u32 = 0;
  for (let code: u32 = 0; code < size; code++)
    for (let left = load<u32>(quotas + (<usize>code << 2)); left > 0; left--, rows++)
      store<u16>(out + (<usize>rows << 1), code);
  // Fisher–Yates from the end; the i-th cell takes the i-th word of the stream.
  let drawn: u32 = -1;
  for (let row = rows; row-- > 1; ) {
    if (row >> 2 != drawn) drawBlock(seed, STREAM_SHUFFLE, column, (drawn = row >> 2));
    const here = out + (<usize>row << 1);
    const there = out + (<usize>below(row + 1, word(row & 3)) << 1);
    const code = load<u16>(here);
    store<u16>(here, load<u16>(there));
    store<u16>(there, code);
  }
}

/**
 * A column of uniform codes.
 * @param out u16[rows]
 */
export function uniformColumn(out: usize, rows: u32, size: u32, seed: u32, column: u32): void {
  for (let row: u32 = 0; row < rows; row++) {
    if (!(row & 3)) drawBlock(seed, STREAM_UNIFORM, column, row >> 2);
    store<u16>(out + (<usize>row << 1), below(size, word(row & 3)));
  }
}
