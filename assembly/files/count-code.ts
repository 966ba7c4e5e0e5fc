/**
 * How many rows have a stored code.
 * @param stored codes of `bytes` bytes: 2 (u16), 4 (u32) or 8 (f64)
 */
export function countCode(stored: usize, bytes: u32, rows: u32, code: f64): u32 {
  if (bytes == 2) return countIn<u16>(stored, rows, code);
  return bytes == 4 ? countIn<u32>(stored, rows, code) : countIn<f64>(stored, rows, code);
}

function countIn<T>(stored: usize, rows: u32, code: f64): u32 {
  let count: u32 = 0;
  for (const end = stored + <usize>rows * sizeof<T>(); stored < end; stored += sizeof<T>())
    count += u32(<f64>load<T>(stored) == code);
  return count;
}
