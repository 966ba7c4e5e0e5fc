// Scores one-cell changes of a search: a thread for each. assembly/genetic/residuals.ts says how. Uses lines.wgsl.

struct Parameters {
  // How many candidates.
  count: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
// A row, a column with a query and a code for each.
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
// By how much each would change the loss: the low word, then the high one.
@group(0) @binding(5) var<storage, read_write> changes: array<vec2<u32>>;

const LANES = 64u;

// (a − b) · 2^shift, in 64 bits; shift is 1 to 31.
fn shifted(a: i32, b: i32, shift: u32) -> vec2<u32> {
  let low = u32(a) - u32(b);
  let high = u32(a >> 31u) - u32(b >> 31u) - u32(u32(a) < u32(b));
  return vec2(low << shift, (high << shift) | (low >> (32u - shift)));
}

@compute @workgroup_size(LANES)
fn scoreCandidates(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = groupIndex(group, groups) * LANES + lane;
  if (at >= parameters.count) {
    return;
  }
  let row = candidates[3u * at];
  let column = candidates[3u * at + 1u];
  let value = candidates[3u * at + 2u];
  // Entries are in the order of columns, so this column's is at most `column` entries after the first.
  var entry = MAP_HEAD + min(column, map[MAP_ACTIVE] - 1u) * MAP_COLUMN;
  while (entry > MAP_HEAD && map[entry + MAP_COLUMN_INDEX] > column) {
    entry -= MAP_COLUMN;
  }
  let present = codeOf(row, column);
  let first = map[entry + MAP_COLUMN_FIRST];
  let end = first + map[entry + MAP_COLUMN_LINKS];
  var now = leftBy(entry, present, value);
  var then = 0;
  for (var link = first; link < end; link++) {
    let line = lineOf(map[link], row);
    now += tables[line + present];
    then += tables[line + value];
  }
  // A unit is a power of two.
  changes[at] = shifted(now, then, countTrailingZeros(map[MAP_UNIT]) + 1u);
}
