// Counts rows in boxes: each lane has a box, and a workgroup a chunk of the rows, which are sorted by the cell that
// they have in every box. The rows in a range are a map of 32 bits, and those in a box the intersection of the maps of
// its sides.
// Uses prelude.wgsl.
// Uses counting.wgsl.
@group(0) @binding(4) var<storage, read> sorted: array<u32>;

const LANES = 128u;
// Rows that are looked at together, as pairs.
const PAIRS = 64u;
// The words of an axis, one more, so that lanes that look at different axes do not wait for each other.
const SPACING = 65u;
const AXES = 32u;

// Two codes in a word, axis by axis; and the cell of each row.
var<workgroup> pairs: array<u32, 2080>;
var<workgroup> cells: array<u32, 128>;

@compute @workgroup_size(128)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let at = groupIndex(group, groups);
  if (at >= parameters.groups) {
    return;
  }
  let order = min(orderOf(), AXES);
  let each = parameterWord(order, RANGES_CELLS);
  let divided = parameterWord(order, RANGES_DIVIDED);
  let sides = parameterWord(order, RANGES_SIDES);
  let box = parameters.first / each + at / parameters.chunks * LANES + lane;
  let isBox = box < parameterWord(order, RANGES_BOXES);
  let begin = at % parameters.chunks * parameters.chunk;
  let limit = min(parameters.rows, begin + parameters.chunk);
  var current = 0u;
  var count = 0;
  for (var start = begin; start < limit; start += 2u * PAIRS) {
    workgroupBarrier();
    for (var entry = lane; entry < order * PAIRS; entry += LANES) {
      let axis = entry / PAIRS;
      let pair = entry % PAIRS;
      let column = axisWord(axis, AXIS_COLUMN);
      let row = start + 2u * pair;
      let next = min(row + 1u, limit - 1u);
      pairs[axis * SPACING + pair] = codeAt(column, sorted[min(row, next)]) | (codeAt(column, sorted[next]) << 16u);
    }
    workgroupBarrier();
    if (divided != 0u) {
      var cell = 0u;
      for (var axis = 0u; axis < order; axis++) {
        if (((divided >> axis) & 1u) != 0u) {
          let code = extractBits(pairs[axis * SPACING + lane / 2u], (lane & 1u) * 16u, 16u);
          cell = cell * axisWord(axis, AXIS_SIZE) + code;
        }
      }
      cells[lane] = cell;
      workgroupBarrier();
    }
    for (var word = 0u; word < select(0u, 4u, isBox); word++) {
      let first = start + 32u * word;
      if (first >= limit) {
        break;
      }
      let rows = min(32u, limit - first);
      var inside = 0xffffffffu >> (32u - rows);
      for (var side = 0u; side < sides; side++) {
        let place = RANGES_BOUNDS + (box * sides + side) * 8u;
        let bound = parameterWord(order, place + 4u);
        inside &= within(parameterWord(order, place) * SPACING + 16u * word, bound & 0xffffu, bound >> 16u);
      }
      if (cells[32u * word] == cells[32u * word + rows - 1u]) {
        if (cells[32u * word] != current) {
          addTo(box * each + current, count);
          current = cells[32u * word];
          count = 0;
        }
        count += i32(countOneBits(inside));
        continue;
      }
      for (var row = 0u; row < rows; row++) {
        if (cells[32u * word + row] != current) {
          addTo(box * each + current, count);
          current = cells[32u * word + row];
          count = 0;
        }
        count += i32((inside >> row) & 1u);
      }
    }
  }
  if (isBox) {
    addTo(box * each + current, count);
  }
}

// A bit for each of 32 rows whose code is one of `width` from `start` on.
fn within(place: u32, start: u32, width: u32) -> u32 {
  var rows = 0u;
  for (var pair = 0u; pair < 16u; pair++) {
    let two = pairs[place + pair];
    rows |= select(0u, 1u, (two & 0xffffu) - start < width) << (2u * pair);
    rows |= select(0u, 2u, (two >> 16u) - start < width) << (2u * pair);
  }
  return rows;
}
