// Which cell of a table a row is in.

/**
 * Adds a column's part to the rows' cells.
 * @param codes u16[rows]
 * @param stride how far neighbours along the column are apart
 * @param keys u32[rows]
 */
export function addRowKeys(codes: usize, rows: u32, stride: u32, keys: usize): void {
  for (const end = keys + (<usize>rows << 2); keys < end; keys += 4, codes += 2)
    store<u32>(keys, load<u32>(keys) + <u32>load<u16>(codes) * stride);
}
