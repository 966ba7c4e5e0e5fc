// Means over the rows of sigmoids of thresholds minus sums, times labels, and their gradients.
// Uses prelude.wgsl.
// Uses group-sum.wgsl.

struct Parameters {
  rows: u32,
  // How many queries there are, or how many lines, or how many sums.
  count: u32,
  scale: f32,
  // 1 if there are labels, else 0. The arrays of labels are any others then.
  labelled: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<f32>;
@group(0) @binding(2) var<storage, read> thresholds: array<f32>;
@group(0) @binding(3) var<storage, read> lines: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> answers: array<f32>;
@group(0) @binding(5) var<storage, read_write> intoSums: array<f32>;
@group(0) @binding(6) var<storage, read> slope: array<f32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> intoLabels: array<f32>;

// A sigmoid z times the scale from its middle, and its slope there. Neither is NaN, however steep it is: powers of e
// are of numbers from −104 to 0.
struct Sigmoid {
  value: f32,
  slope: f32,
}
fn sigmoid(query: u32, at: u32) -> Sigmoid {
  let z = parameters.scale * (thresholds[query] - sums[at]);
  let power = exp(max(-abs(z), -104.0));
  let near = 1.0 / (1.0 + power);
  return Sigmoid(select(power * near, near, z >= 0.0), parameters.scale * power * near * near);
}

fn label(query: u32, row: u32) -> f32 {
  if (parameters.labelled == 0u) {
    return 1.0;
  }
  return x[lines[query] * parameters.rows + row];
}

// A workgroup has one query.
@compute @workgroup_size(64)
fn sigmoidQueries(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let query = groupIndex(group, groups);
  if (query >= parameters.count) {
    return;
  }
  var sum = 0.0;
  for (var row = lane; row < parameters.rows; row += 64u) {
    sum += sigmoid(query, query * parameters.rows + row).value * label(query, row);
  }
  sum = groupSum(sum, lane, 64u, 1u);
  if (lane == 0u) {
    answers[query] = sum / f32(parameters.rows);
  }
}

// A thread has one sum.
@compute @workgroup_size(256)
fn sumsGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 256u + lane;
  if (at >= parameters.count) {
    return;
  }
  let query = at / parameters.rows;
  let factor = slope[query] / f32(parameters.rows) * label(query, at % parameters.rows);
  intoSums[at] -= factor * sigmoid(query, at).slope;
}

// A workgroup has 32 rows of one line, and 8 threads for each of them, which share the queries of the line.
@compute @workgroup_size(256)
fn labelsGradient(
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
    let query = queries[at];
    sum += slope[query] * sigmoid(query, query * parameters.rows + near).value;
  }
  sum = groupSum(sum, lane, 256u, 32u);
  if (lane < 32u && row < parameters.rows) {
    intoLabels[line * parameters.rows + row] += sum / f32(parameters.rows);
  }
}
