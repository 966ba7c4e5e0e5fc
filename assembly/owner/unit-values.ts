/**
 * Writes the positions of stored grid points between the first and the last one.
 * @param stored points of `bytes` bytes: 2 (u16), 4 (u32) or 8 (f64)
 * @param last the last point
 * @param missing what is stored for a missing cell; NaN if nothing can be missing
 * @param codes u16[rows]: 1 for missing cells, otherwise 0
 * @param values f64[rows]: 0 to 1; 1 for missing cells
 */
export function unitValues(
  stored: usize,
  bytes: u32,
  rows: u32,
  last: f64,
  missing: f64,
  codes: usize,
  values: usize,
): void {
  if (bytes == 2) valuesOf<u16>(stored, rows, last, missing, codes, values);
  else if (bytes == 4) valuesOf<u32>(stored, rows, last, missing, codes, values);
  else valuesOf<f64>(stored, rows, last, missing, codes, values);
}

function valuesOf<T>(stored: usize, rows: u32, last: f64, missing: f64, codes: usize, values: usize): void {
  for (const end = codes + (<usize>rows << 1); codes < end; codes += 2, values += 8, stored += sizeof<T>()) {
    const point = <f64>load<T>(stored);
    const isMissing = point == missing;
    store<u16>(codes, u16(isMissing));
    store<f64>(values, isMissing ? 1 : last > 0 ? point / last : 0);
  }
}
