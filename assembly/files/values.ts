// Stored codes of a column as arrays: of the numbers that they stand for, or of texts.
import { ARRAY_DICTIONARY, ARRAY_F64, SPELLED_IDS, SPELLING_FORMAT, SPELLING_KIND } from "../layout";
import { writePoint } from "../notation/write-point";
import { writeId } from "./ids";
import { codeOf, pointOf } from "./write-records";

/**
 * Writes the number minimum + point·step of each row; 0 for a missing cell.
 * @param spelling a SPELLING of SPELLED_POINTS: the codes at hand, and the number of points
 * @param type what is written: ARRAY_I64, ARRAY_F64 or ARRAY_DICTIONARY (i32)
 * @param divisor for doubles: the power of ten, up to 10^22, by which a number below 2^53 is divided
 * @param values the numbers of `rows` rows
 * @param validity a bit for each row, zeroed; those of rows with a value are set
 */
export function writeValues(
  spelling: usize,
  rows: u32,
  type: u32,
  minimum: i64,
  step: i64,
  divisor: f64,
  values: usize,
  validity: usize,
): void {
  for (let row: u32 = 0; row < rows; row++) {
    const point = pointOf(spelling, row);
    const isThere = point >= 0;
    const number = isThere ? minimum + <i64>point * step : 0;
    if (type == ARRAY_DICTIONARY) store<i32>(values + (<usize>row << 2), <i32>number);
    else if (type == ARRAY_F64) store<f64>(values + (<usize>row << 3), <f64>number / divisor);
    else store<i64>(values + (<usize>row << 3), number);
    setValid(validity, row, isThere);
  }
}

/**
 * Writes the text of each row, without quotes; none for a missing cell.
 * @param spelling a SPELLING of SPELLED_POINTS or SPELLED_IDS
 * @param first the number in the table of the first row at hand
 * @param offsets u32[rows + 1]: where each text begins, and where the last one ends
 * @param texts room for the longest text in each row
 * @param validity as in `writeValues`
 * @returns the end of the texts
 */
export function writeTexts(
  spelling: usize,
  first: u32,
  rows: u32,
  offsets: usize,
  texts: usize,
  validity: usize,
): usize {
  const format = load<usize>(spelling, SPELLING_FORMAT);
  const isId = load<u32>(spelling, SPELLING_KIND) == SPELLED_IDS;
  let out = texts;
  for (let row: u32 = 0; row < rows; row++) {
    const point = isId ? 0 : pointOf(spelling, row);
    if (isId) out = writeId(format, codeOf(spelling, row, first) + 1, out);
    else if (point >= 0) out = writePoint(format, point, out);
    setValid(validity, row, point >= 0);
    store<u32>(offsets + (<usize>row << 2), <u32>(out - texts), 4);
  }
  return out;
}

@inline
function setValid(validity: usize, row: u32, isThere: bool): void {
  const at = validity + (row >> 3);
  store<u8>(at, load<u8>(at) | (u8(isThere) << (<u8>(row & 7))));
}
