// Reads a QUERY struct, word by word: offsets in assembly/layout.ts are in bytes.

struct Parameters {
  // Where the QUERY begins in `queries`.
  query: u32,
  // The rows at hand, and the words of a column of theirs.
  rows: u32,
  stride: u32,
  // Which of the query's cells are counted, and where their counts go.
  first: u32,
  count: u32,
  out: u32,
  // How many workgroups there are, how many of them share a tile, and how many rows each of these has.
  groups: u32,
  chunks: u32,
  chunk: u32,
  // The first member that has lines, a quarter of how many there are, and how many coordinates these have.
  member: u32,
  width: u32,
  coordinates: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> queries: array<u32>;

fn orderOf() -> u32 {
  return queries[parameters.query + QUERY_ORDER / 4u];
}

fn axisWord(axis: u32, offset: u32) -> u32 {
  return queries[parameters.query + (QUERY_AXES + axis * AXIS_BYTES + offset) / 4u];
}

// A parameter, in a query of so many axes.
fn parameterWord(order: u32, offset: u32) -> u32 {
  return axisWord(order, offset);
}
