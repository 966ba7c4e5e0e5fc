// Columns that arrive as texts, not inside records.
import { ARGUMENT_REFUSED, BLOCK_ROWS, OK, OUT_OF_MEMORY } from "../layout";
import { codeAbsent, codeCells } from "./cell-codes";
import { Column } from "./column";
import { reserve } from "./parser";
import { Reader, readerBlock } from "./rows";

/** Texts whose bounds are written down in one go. */
const AT_ONCE: usize = 1024;

/**
 * Codes the texts of one column, for rows that `readerExtend` has added.
 * @param place the column's place in the header
 * @param row the first of the rows
 * @param texts UTF-8 bytes, followed by 8 readable bytes
 * @param offsets u32[rows + 1], ascending: where each text begins, and where the last one ends
 * @param validity a bit for each row, the lowest first: whether the row has the cell; 0 where all have
 * @returns a status
 */
export function codeTexts(
  pointer: usize,
  place: u32,
  row: u32,
  texts: usize,
  offsets: usize,
  validity: usize,
  rows: u32,
): i32 {
  const reader = changetype<Reader>(pointer);
  if (row + rows > reader.rows || row + rows < row || place >= reader.width) return ARGUMENT_REFUSED;
  const column = changetype<Column>(load<usize>(reader.columns + (<usize>place << 2)));
  if (!changetype<usize>(column)) return ARGUMENT_REFUSED;
  if (!reserve(reader.parser, AT_ONCE)) return OUT_OF_MEMORY;
  const most = <u32>reader.parser.most;
  const bounds = reader.parser.bounds;
  for (let done: u32 = 0; done < rows; ) {
    const first = (row + done) & (BLOCK_ROWS - 1);
    const block = readerBlock(pointer, (row + done) / BLOCK_ROWS);
    const out = load<usize>(block + (<usize>place << 2)) + <usize>first * column.bytes;
    if (validity && !isValid(validity, done)) {
      codeAbsent(column, texts, out);
      done++;
      continue;
    }
    let count: u32 = 0;
    const all = min(min(rows - done, BLOCK_ROWS - first), most);
    while (count < all && (!validity || isValid(validity, done + count))) {
      const offset = offsets + ((<usize>(done + count)) << 2);
      store<usize>(bounds + (<usize>count << 3), texts + load<u32>(offset));
      store<usize>(bounds + (<usize>count << 3), texts + load<u32>(offset, 4), 4);
      count++;
    }
    codeCells(column, bounds, 8, count, out);
    done += count;
  }
  return reader.desk.failed ? OUT_OF_MEMORY : OK;
}

function isValid(validity: usize, row: u32): bool {
  return ((load<u8>(validity + (row >> 3)) >> (row & 7)) & 1) != 0;
}
