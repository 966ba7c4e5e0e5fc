// Counts rows into the cells of a marginal, or of the finest level of a tree. A workgroup counts a chunk of the rows,
// in memory of its own if the cells fit it: then it has several copies of them, as far as these fit too, so that fewer
// of its rows wait for each other.
// Uses prelude.wgsl.
// Uses counting.wgsl.
const LANES = 256u;
const CELLS = 2048u;
const COPIES = 32u;

var<workgroup> own: array<atomic<i32>, CELLS>;

fn cellOf(row: u32, order: u32) -> u32 {
  var cell = 0u;
  for (var axis = 0u; axis < order; axis++) {
    var code = codeAt(axisWord(axis, AXIS_COLUMN), row);
    let fine = axisWord(axis, AXIS_FINE);
    if (fine > 0u) {
      code = code * TREE_LEAVES / fine;
    }
    cell = cell * axisWord(axis, AXIS_SIZE) + code;
  }
  return cell;
}

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let begin = groupIndex(group, groups) * parameters.chunk;
  let limit = min(parameters.rows, begin + parameters.chunk);
  let order = orderOf();
  let count = parameters.count;
  if (count > CELLS) {
    for (var row = begin + lane; row < limit; row += LANES) {
      addTo(cellOf(row, order), 1);
    }
    return;
  }
  let copies = min(COPIES, CELLS / count);
  for (var row = begin + lane; row < limit; row += LANES) {
    let at = cellOf(row, order) - parameters.first;
    if (at < count) {
      atomicAdd(&own[at * copies + lane % copies], 1);
    }
  }
  workgroupBarrier();
  for (var at = lane; at < count; at += LANES) {
    var sum = 0;
    for (var copy = 0u; copy < copies; copy++) {
      sum += atomicLoad(&own[at * copies + copy]);
    }
    addTo(parameters.first + at, sum);
  }
}
