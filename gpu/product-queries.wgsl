// Means over the rows of products of a few lines' numbers, and their gradient.
// Uses prelude.wgsl.
// Uses group-sum.wgsl.

struct Parameters {
  rows: u32,
  order: u32,
  // How many queries there are, or how many lines.
  count: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> lines: array<u32>;
@group(0) @binding(3) var<storage, read_write> answers: array<f32>;
@group(0) @binding(3) var<storage, read_write> into: array<f32>;
@group(0) @binding(4) var<storage, read> slope: array<f32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> places: array<u32>;

// A workgroup has one query.
@compute @workgroup_size(64)
fn productQueries(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let query = groupIndex(group, groups);
  if (query >= parameters.count) {
    return;
  }
  let first = query * parameters.order;
  var sum = 0.0;
  for (var row = lane; row < parameters.rows; row += 64u) {
    var product = 1.0;
    for (var place = first; place < first + parameters.order; place += 1u) {
      product *= x[lines[place] * parameters.rows + row];
    }
    sum += product;
  }
  sum = groupSum(sum, lane, 64u, 1u);
  if (lane == 0u) {
    answers[query] = sum / f32(parameters.rows);
  }
}

// A workgroup has 32 rows of one line, and 8 threads for each of them, which share the places of the line.
@compute @workgroup_size(256)
fn productQueriesGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let tiles = (parameters.rows + 31u) / 32u;
  let index = groupIndex(group, groups);
  let line = index / tiles;
  if (line >= parameters.count) {
    return;
  }
  // Threads beyond the last row repeat it: they must not stay away from the sum.
  let row = index % tiles * 32u + lane % 32u;
  let near = min(row, parameters.rows - 1u);
  var sum = 0.0;
  for (var at = starts[line] + lane / 32u; at < starts[line + 1u]; at += 8u) {
    let own = places[at];
    let query = own / parameters.order;
    let first = query * parameters.order;
    var product = slope[query];
    for (var place = first; place < first + parameters.order; place += 1u) {
      if (place != own) {
        product *= x[lines[place] * parameters.rows + near];
      }
    }
    sum += product;
  }
  sum = groupSum(sum, lane, 256u, 32u);
  if (lane < 32u && row < parameters.rows) {
    into[line * parameters.rows + row] += sum / f32(parameters.rows);
  }
}
