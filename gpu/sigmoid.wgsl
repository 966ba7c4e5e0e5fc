// Sigmoids of thresholds minus sums, in the last lines of an array, and their gradient.
// Uses prelude.wgsl.

struct Parameters {
  // How many sums there are, and how many numbers the array of lines has before their sigmoids.
  count: u32,
  before: u32,
  rows: u32,
  scale: f32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<f32>;
@group(0) @binding(2) var<storage, read> thresholds: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> p: array<f32>;
@group(0) @binding(2) var<storage, read> slope: array<f32>;
@group(0) @binding(3) var<storage, read_write> into: array<f32>;

// From here on, sigmoids are 0 or 1, as in the engine.
const FAR = 18.0;

@compute @workgroup_size(256)
fn sigmoid(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 256u + lane;
  if (at >= parameters.count) {
    return;
  }
  let z = parameters.scale * (thresholds[at / parameters.rows] - sums[at]);
  let power = select(0.0, exp(-abs(z)), abs(z) < FAR);
  out[parameters.before + at] = select(power, 1.0, z >= 0.0) / (1.0 + power);
}

@compute @workgroup_size(256)
fn sigmoidGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 256u + lane;
  if (at >= parameters.count) {
    return;
  }
  let share = p[parameters.before + at];
  into[at] -= parameters.scale * share * (1.0 - share) * slope[parameters.before + at];
}
