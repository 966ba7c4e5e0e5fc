// Lines with mean 0 and variance 1, times their gains, plus their biases; and its gradient. A workgroup has one line.
// Uses prelude.wgsl.
// Uses group-sum.wgsl.

struct Parameters {
  rows: u32,
  lines: u32,
  epsilon: f32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> gain: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<storage, read_write> statistics: array<f32>;
@group(0) @binding(3) var<storage, read> found: array<f32>;
@group(0) @binding(4) var<storage, read> slope: array<f32>;
@group(0) @binding(5) var<storage, read_write> into: array<f32>;
@group(0) @binding(6) var<storage, read_write> intoGain: array<f32>;
@group(0) @binding(7) var<storage, read_write> intoBias: array<f32>;

@compute @workgroup_size(256)
fn batchNorm(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let line = groupIndex(group, groups);
  if (line >= parameters.lines) {
    return;
  }
  let start = line * parameters.rows;
  let end = start + parameters.rows;
  var sum = 0.0;
  for (var at = start + lane; at < end; at += 256u) {
    sum += x[at];
  }
  let mean = groupSum(sum, lane, 256u, 1u) / f32(parameters.rows);
  var squares = 0.0;
  for (var at = start + lane; at < end; at += 256u) {
    let distance = x[at] - mean;
    squares += distance * distance;
  }
  let variance = groupSum(squares, lane, 256u, 1u) / f32(parameters.rows);
  let scale = 1.0 / sqrt(variance + parameters.epsilon);
  for (var at = start + lane; at < end; at += 256u) {
    out[at] = (x[at] - mean) * scale * gain[line] + bias[line];
  }
  if (lane == 0u) {
    statistics[2u * line] = mean;
    statistics[2u * line + 1u] = scale;
  }
}

@compute @workgroup_size(256)
fn batchNormGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let line = groupIndex(group, groups);
  if (line >= parameters.lines) {
    return;
  }
  let start = line * parameters.rows;
  let end = start + parameters.rows;
  let mean = found[2u * line];
  let scale = found[2u * line + 1u];
  var sum = 0.0;
  var products = 0.0;
  for (var at = start + lane; at < end; at += 256u) {
    sum += slope[at];
    products += slope[at] * ((x[at] - mean) * scale);
  }
  let toBias = groupSum(sum, lane, 256u, 1u);
  let toGain = groupSum(products, lane, 256u, 1u);
  let rows = f32(parameters.rows);
  for (var at = start + lane; at < end; at += 256u) {
    let normal = (x[at] - mean) * scale;
    into[at] += gain[line] * scale * (slope[at] - toBias / rows - normal * (toGain / rows));
  }
  if (lane == 0u) {
    intoGain[line] += toGain;
    intoBias[line] += toBias;
  }
}
