// e^x / Σ e^x of each row's numbers in each block, and its gradient. Uses blocks.wgsl.

@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> into: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read> slope: array<f32>;

@compute @workgroup_size(64)
fn softmax(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = partOf(groupIndex(group, groups), lane);
  for (var at = part.start; at < part.end; at += parameters.rows) {
    out[at] = x[at];
  }
  normalise(part);
}

@compute @workgroup_size(64)
fn softmaxInPlace(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  normalise(partOf(groupIndex(group, groups), lane));
}

fn normalise(part: Part) {
  // The largest number so far, and the sum relative to it.
  var most = out[part.start];
  var sum = 0.0;
  for (var at = part.start; at < part.end; at += parameters.rows) {
    let number = out[at];
    if (number > most) {
      sum = sum * exp(below(most, number)) + 1.0;
      most = number;
    } else {
      sum += exp(below(number, most));
    }
  }
  for (var at = part.start; at < part.end; at += parameters.rows) {
    out[at] = exp(below(out[at], most)) / sum;
  }
}

@compute @workgroup_size(64)
fn softmaxGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = partOf(groupIndex(group, groups), lane);
  var mean = 0.0;
  for (var at = part.start; at < part.end; at += parameters.rows) {
    mean += p[at] * slope[at];
  }
  for (var at = part.start; at < part.end; at += parameters.rows) {
    into[at] += p[at] * (slope[at] - mean);
  }
}
