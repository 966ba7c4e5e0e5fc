// The nearest point of the simplex to each row's numbers in each block, and its gradient. Uses blocks.wgsl.

@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> into: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read> slope: array<f32>;

@compute @workgroup_size(64)
fn sparsemax(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = partOf(groupIndex(group, groups), lane);
  for (var at = part.start; at < part.end; at += parameters.rows) {
    out[at] = x[at];
  }
  project(part);
}

@compute @workgroup_size(64)
fn sparsemaxInPlace(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  project(partOf(groupIndex(group, groups), lane));
}

// Michelot (1986), relative to the largest number, so that nothing is lost among large ones. The threshold is at least
// −1 then. It rises until no number falls below it any more.
fn project(part: Part) {
  var most = out[part.start];
  for (var at = part.start; at < part.end; at += parameters.rows) {
    most = max(most, out[at]);
  }
  var threshold = -1.0;
  var before = 0u;
  loop {
    var sum = 0.0;
    var count = 0u;
    for (var at = part.start; at < part.end; at += parameters.rows) {
      let number = below(out[at], most);
      if (number > threshold) {
        sum += number;
        count += 1u;
      }
    }
    if (count == before) {
      break;
    }
    before = count;
    threshold = max(threshold, (sum - 1.0) / f32(count));
  }
  for (var at = part.start; at < part.end; at += parameters.rows) {
    out[at] = max(below(out[at], most) - threshold, 0.0);
  }
}

@compute @workgroup_size(64)
fn sparsemaxGradient(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = partOf(groupIndex(group, groups), lane);
  var sum = 0.0;
  var count = 0.0;
  for (var at = part.start; at < part.end; at += parameters.rows) {
    if (p[at] > 0.0) {
      sum += slope[at];
      count += 1.0;
    }
  }
  for (var at = part.start; at < part.end; at += parameters.rows) {
    if (p[at] > 0.0) {
      into[at] += slope[at] - sum / count;
    }
  }
}
