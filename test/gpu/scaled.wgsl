// Multiplies numbers by a factor. Uses prelude.wgsl.

struct Parameters {
  count: u32,
  factor: f32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> numbers: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 64u + lane;
  if (at < parameters.count) {
    numbers[at] *= parameters.factor;
  }
}
