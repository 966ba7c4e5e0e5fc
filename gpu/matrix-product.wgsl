// Products of matrices. A workgroup has a tile of 64 × 64 sums, or a part of each of them, and a thread 4 × 4 of these.
// Uses prelude.wgsl.

// The numbers of each factor that are in workgroup memory: for 16 steps along the inner dimension, 16 groups of 4 rows
// or columns. Steps are 17 groups apart, so that threads with different steps use different banks.
const STRIDE = 17u;

struct Parameters {
  rows: u32,
  inner: u32,
  columns: u32,
  // How far apart the numbers of `a` are along the rows and along the inner dimension, and those of `b` along the
  // columns and along the inner dimension.
  acrossA: u32,
  alongA: u32,
  acrossB: u32,
  alongB: u32,
  // The steps that one part of each sum has, and how many parts there are: each has a matrix of its own in `out`.
  depth: u32,
  parts: u32,
  // 1 if the sums are added to what is there, else 0.
  adds: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> found: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

var<workgroup> left: array<vec4<f32>, 272>;
var<workgroup> right: array<vec4<f32>, 272>;

fn numberOfA(row: u32, step: u32, end: u32) -> f32 {
  if (row >= parameters.rows || step >= end) {
    return 0.0;
  }
  return a[row * parameters.acrossA + step * parameters.alongA];
}

fn numberOfB(column: u32, step: u32, end: u32) -> f32 {
  if (column >= parameters.columns || step >= end) {
    return 0.0;
  }
  return b[column * parameters.acrossB + step * parameters.alongB];
}

// A step of 4 rows of `a`.
fn ofA(row: u32, step: u32, end: u32) -> vec4<f32> {
  return vec4<f32>(
    numberOfA(row, step, end),
    numberOfA(row + 1u, step, end),
    numberOfA(row + 2u, step, end),
    numberOfA(row + 3u, step, end),
  );
}

// A step of 4 columns of `b`.
fn ofB(column: u32, step: u32, end: u32) -> vec4<f32> {
  return vec4<f32>(
    numberOfB(column, step, end),
    numberOfB(column + 1u, step, end),
    numberOfB(column + 2u, step, end),
    numberOfB(column + 3u, step, end),
  );
}

@compute @workgroup_size(256)
fn matrixProduct(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let across = (parameters.columns + 63u) / 64u;
  let tiles = (parameters.rows + 63u) / 64u * across;
  let index = groupIndex(group, groups);
  let part = index / tiles;
  if (part >= parameters.parts) {
    return;
  }
  let tile = index % tiles;
  let top = tile / across * 64u;
  let start = tile % across * 64u;
  let low = lane % 16u;
  let high = lane / 16u;
  // Threads that are next to each other load numbers that are: the group and the step that this one loads.
  let ofLeft = select(vec2<u32>(low, high), vec2<u32>(high, low), parameters.alongA == 1u);
  let ofRight = select(vec2<u32>(low, high), vec2<u32>(high, low), parameters.alongB == 1u);
  let begin = part * parameters.depth;
  let end = min(begin + parameters.depth, parameters.inner);
  var sums0 = vec4<f32>();
  var sums1 = vec4<f32>();
  var sums2 = vec4<f32>();
  var sums3 = vec4<f32>();
  // Each round loads what the next one multiplies, so that multiplications need not wait.
  for (var step = begin; step < end + 16u; step += 16u) {
    let nextLeft = ofA(top + 4u * ofLeft.x, step + ofLeft.y, end);
    let nextRight = ofB(start + 4u * ofRight.x, step + ofRight.y, end);
    if (step > begin) {
      for (var i = 0u; i < 16u; i += 1u) {
        let down = left[i * STRIDE + high];
        let line = right[i * STRIDE + low];
        sums0 = fma(vec4<f32>(down.x), line, sums0);
        sums1 = fma(vec4<f32>(down.y), line, sums1);
        sums2 = fma(vec4<f32>(down.z), line, sums2);
        sums3 = fma(vec4<f32>(down.w), line, sums3);
      }
    }
    workgroupBarrier();
    left[ofLeft.y * STRIDE + ofLeft.x] = nextLeft;
    right[ofRight.y * STRIDE + ofRight.x] = nextRight;
    workgroupBarrier();
  }
  let row = top + 4u * high;
  let column = start + 4u * low;
  put(sums0, part, row, column);
  put(sums1, part, row + 1u, column);
  put(sums2, part, row + 2u, column);
  put(sums3, part, row + 3u, column);
}

fn put(numbers: vec4<f32>, part: u32, row: u32, column: u32) {
  if (row >= parameters.rows) {
    return;
  }
  let at = (part * parameters.rows + row) * parameters.columns + column;
  for (var i = 0u; i < 4u; i += 1u) {
    if (column + i < parameters.columns) {
      out[at + i] = numbers[i] + select(0.0, out[at + i], parameters.adds == 1u && parameters.parts == 1u);
    }
  }
}

// Adds the parts of one sum: a thread has one.
@compute @workgroup_size(256)
fn addParts(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * 256u + lane;
  let count = parameters.rows * parameters.columns;
  if (at >= count) {
    return;
  }
  var sum = select(0.0, sums[at], parameters.adds == 1u);
  for (var part = 0u; part < parameters.parts; part += 1u) {
    sum += found[part * count + at];
  }
  sums[at] = sum;
}
