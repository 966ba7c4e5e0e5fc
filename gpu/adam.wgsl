// A step of Adam. Uses prelude.wgsl.

struct Parameters {
  count: u32,
  // The rate over 1 − beta1^step.
  rate: f32,
  // Each mean's beta, and 1 − beta.
  beta1: f32,
  rest1: f32,
  beta2: f32,
  rest2: f32,
  // 1 over 1 − beta2^step.
  correction: f32,
  epsilon: f32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> values: array<f32>;
@group(0) @binding(2) var<storage, read> slope: array<f32>;
@group(0) @binding(3) var<storage, read_write> first: array<f32>;
@group(0) @binding(4) var<storage, read_write> second: array<f32>;

@compute @workgroup_size(256)
fn adam(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 256u + lane;
  if (at >= parameters.count) {
    return;
  }
  let step = slope[at];
  let mean = parameters.beta1 * first[at] + parameters.rest1 * step;
  let square = parameters.beta2 * second[at] + parameters.rest2 * step * step;
  first[at] = mean;
  second[at] = square;
  values[at] -= parameters.rate * mean / (sqrt(square * parameters.correction) + parameters.epsilon);
}
