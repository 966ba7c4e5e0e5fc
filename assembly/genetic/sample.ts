// A random sample of given rows, column by column.
import { STREAM_PUBLIC } from "../layout";
import { drawWords, word } from "../philox";
import { sortRecords } from "../sort";

/**
 * Puts rows in random order: by the words of a stream, and equal words by the row.
 * @param order u32[rows], replaced
 * @param scratch u64[2·rows]
 */
export function sampleOrder(order: usize, rows: u32, seed: u32, scratch: usize): void {
  const bytes = <usize>rows << 3;
  let occupied: u64 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    if (!(row & 15)) drawWords(seed, STREAM_PUBLIC, 0, row >> 4);
    const record = (<u64>word(row) << 32) | <u64>row;
    store<u64>(scratch + (<usize>row << 3), record);
    occupied |= record;
  }
  const sorted = sortRecords(scratch, scratch + bytes, rows, 32, occupied);
  for (let at: usize = 0; at < bytes; at += 8) store<u32>(order + (at >> 1), load<u32>(sorted + at));
}

/**
 * The codes of rows in an order, which begins again where more are wanted than there are.
 * @param column u16[rows]
 * @param order u32[rows]
 * @param out u16[wanted]
 */
export function takeRows(column: usize, order: usize, rows: u32, out: usize, wanted: u32): void {
  for (let taken: u32 = 0, at: u32 = 0; taken < wanted; taken++) {
    const row = load<u32>(order + (<usize>at << 2));
    store<u16>(out + (<usize>taken << 1), load<u16>(column + (<usize>row << 1)));
    if (++at == rows) at = 0;
  }
}
