/**
 * Moves the codes of the rows that stay to the front of a column.
 * @param column u16[rows], changed in place; what is left behind is overwritten with zeros
 * @param keep u8[rows]: 1 for each row that stays, otherwise 0
 * @returns how many stay
 */
export function keepCodes(column: usize, keep: usize, rows: u32): u32 {
  let kept: u32 = 0;
  for (let row: usize = 0; row < rows; row++) {
    store<u16>(column + (<usize>kept << 1), load<u16>(column + (row << 1)));
    kept += load<u8>(keep + row);
  }
  memory.fill(column + (<usize>kept << 1), 0, (<usize>(rows - kept)) << 1);
  return kept;
}

/**
 * Replaces codes above a column's last one by the last one, so that no row can count outside a query's cells.
 * @param column u16[rows], changed in place
 * @param last the largest code, at most 65,535
 */
export function capCodes(column: usize, rows: u32, last: u32): void {
  const end = column + (<usize>rows << 1);
  if (ASC_FEATURE_SIMD) {
    const lasts = i16x8.splat(<i16>last);
    for (const whole = column + ((<usize>rows & ~7) << 1); column < whole; column += 16)
      v128.store(column, i16x8.min_u(v128.load(column), lasts));
  }
  for (; column < end; column += 2) store<u16>(column, min<u32>(load<u16>(column), last));
}
