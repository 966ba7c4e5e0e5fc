// What all kernels have that count rows: their codes, and the counts.
// Uses query.wgsl.
@group(0) @binding(2) var<storage, read> codes: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<i32>>;

// A row's code in a column. Codes are u16, two in a word.
fn codeAt(column: u32, row: u32) -> u32 {
  return extractBits(codes[column * parameters.stride + row / 2u], (row & 1u) * 16u, 16u);
}

// Adds to the count of a cell, by its number in the query, if it is one of those that are counted.
fn addTo(cell: u32, amount: i32) {
  let at = cell - parameters.first;
  if (at < parameters.count && amount != 0) {
    atomicAdd(&counts[parameters.out + at], amount);
  }
}
