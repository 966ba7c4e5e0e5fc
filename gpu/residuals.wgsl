// Gives rows of a search other codes, in its tables and among its codes: a workgroup for each row, whose lanes share the
// copies of tables. All changes are whole numbers, so their order does not matter. Uses search.wgsl.

struct Parameters {
  // How many rows, and how many words of codes each of them has.
  count: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> map: array<u32>;
@group(0) @binding(2) var<storage, read_write> tables: array<atomic<i32>>;
@group(0) @binding(3) var<storage, read_write> codes: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read> changed: array<u32>;

const LANES = 64u;
// The leaves that share a level with a leaf: its half of a tree.
const NEAR = TREE_LEAVES / 2u;

// The code that a row has, or will have.
fn codeOf(row: u32, place: u32, column: u32, isNew: bool) -> u32 {
  let word = column >> 1u;
  if (isNew) {
    return codeIn(changed[place * parameters.stride + word], column);
  }
  return codeIn(codes[row * parameters.stride + word], column);
}

fn isChanged(copy: u32, row: u32, place: u32) -> bool {
  for (var axis = 0u; axis < map[copy + MAP_COPY_ORDER]; axis++) {
    let column = map[copy + MAP_COPY_AXES + axis * MAP_AXIS + MAP_AXIS_COLUMN];
    if (codeOf(row, place, column, false) != codeOf(row, place, column, true)) {
      return true;
    }
  }
  return false;
}

// Adds to the row's cell in a copy; in a tree, to the potentials of all leaves around it, once for each shared level.
fn addRow(copy: u32, row: u32, place: u32, isNew: bool, amount: i32) {
  let axes = copy + MAP_COPY_AXES;
  let end = axes + map[copy + MAP_COPY_ORDER] * MAP_AXIS;
  var cells = 1u;
  for (var axis = axes; axis < end; axis += MAP_AXIS) {
    if (map[axis + MAP_AXIS_TREE] != 0u && codeOf(row, place, map[axis + MAP_AXIS_COLUMN], isNew) != TREE_LEAVES) {
      cells *= NEAR;
    }
  }
  for (var cell = 0u; cell < cells; cell++) {
    var at = map[copy + MAP_COPY_TABLE];
    var levels = i32(map[copy + MAP_COPY_LEVELS]);
    var rest = cell;
    for (var axis = axes; axis < end; axis += MAP_AXIS) {
      let code = codeOf(row, place, map[axis + MAP_AXIS_COLUMN], isNew);
      var other = code;
      if (map[axis + MAP_AXIS_TREE] != 0u) {
        if (code != TREE_LEAVES) {
          other = code / NEAR * NEAR + rest % NEAR;
          rest /= NEAR;
        }
        levels = min(levels, sharedLevels(code, other));
      }
      at += other * map[axis + MAP_AXIS_STRIDE];
    }
    atomicAdd(&tables[at], amount * levels);
  }
}

@compute @workgroup_size(LANES)
fn moveRows(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = groupIndex(group, groups);
  if (place >= parameters.count) {
    return;
  }
  let row = rows[place];
  let unit = i32(map[MAP_UNIT]);
  for (var index = lane; index < map[MAP_COPIES]; index += LANES) {
    let copy = map[map[MAP_FIRST_COPY] + index];
    if (isChanged(copy, row, place)) {
      addRow(copy, row, place, false, unit);
      addRow(copy, row, place, true, -unit);
    }
  }
  storageBarrier();
  for (var word = lane; word < parameters.stride; word += LANES) {
    codes[row * parameters.stride + word] = changed[place * parameters.stride + word];
  }
}
