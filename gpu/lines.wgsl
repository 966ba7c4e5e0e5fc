// The lines of tables that changes of a row's cells read, for kernels that leave tables and rows as they are. The
// parameters of these have `stride`, how many words of `codes` a row has. Uses search.wgsl.

@group(0) @binding(1) var<storage, read> map: array<u32>;
@group(0) @binding(2) var<storage, read> tables: array<i32>;
@group(0) @binding(3) var<storage, read> codes: array<u32>;

fn codeOf(row: u32, column: u32) -> u32 {
  return codeIn(codes[row * parameters.stride + (column >> 1u)], column);
}

// Where the row's line in a copy of a table begins.
fn lineOf(copy: u32, row: u32) -> u32 {
  var line = map[copy + MAP_COPY_TABLE];
  let end = copy + MAP_COPY_AXES + map[copy + MAP_COPY_ORDER] * MAP_AXIS;
  for (var axis = copy + MAP_COPY_AXES; axis < end; axis += MAP_AXIS) {
    let stride = map[axis + MAP_AXIS_STRIDE];
    if (stride > 1u) {
      line += codeOf(row, map[axis + MAP_AXIS_COLUMN]) * stride;
    }
  }
  return line;
}

// How many cells, in units, a row leaves if its code in the column of a MAP_COLUMN changes.
fn leftBy(column: u32, present: u32, code: u32) -> i32 {
  var cells = i32(map[column + MAP_COLUMN_LEVELS]);
  if (map[column + MAP_COLUMN_TREE] != 0u) {
    cells = i32(map[column + MAP_COLUMN_LINKS]) * (i32(TREE_LEVELS) - sharedLevels(present, code));
  }
  return select(cells * i32(map[MAP_UNIT]), 0, present == code);
}
