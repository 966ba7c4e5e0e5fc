// Finds the cells of rows in which some code would lower the loss of a search: a workgroup for each cell, whose lanes
// share its codes and, where there are few, its tables. assembly/genetic/residuals.ts says how codes are scored. All
// sums are whole numbers, so their order does not matter. Uses lines.wgsl.

struct Parameters {
  // How many rows, and how many words of `found` each of them has.
  count: u32,
  words: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<atomic<u32>>;

const LANES = 64u;
// So many tables are looked up together.
const CHUNK = 512u;

// Where the row's lines begin, with every code of the column.
var<workgroup> lines: array<u32, CHUNK>;
// The sums of residuals for the present code, and for few codes for each of them.
var<workgroup> own: atomic<i32>;
var<workgroup> sums: array<atomic<i32>, LANES>;

@compute @workgroup_size(LANES)
fn findMoves(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let cell = groupIndex(group, groups);
  let place = cell / map[MAP_ACTIVE];
  let index = cell % map[MAP_ACTIVE];
  if (place >= parameters.count) {
    return;
  }
  let row = rows[place];
  let column = MAP_HEAD + index * MAP_COLUMN;
  let size = map[column + MAP_COLUMN_SIZE];
  let links = map[column + MAP_COLUMN_LINKS];
  let first = map[column + MAP_COLUMN_FIRST];
  let present = codeOf(row, map[column + MAP_COLUMN_INDEX]);
  // Of LANES, so many take a code each; there are so many such parts.
  let width = min(LANES, 1u << (32u - countLeadingZeros(size - 1u)));
  let parts = LANES / width;
  let part = lane / width;
  for (var block = 0u; block < size; block += width) {
    let code = block + lane % width;
    var sum = 0;
    for (var head = 0u; head < links; head += CHUNK) {
      let count = min(CHUNK, links - head);
      if (block == 0u || links > CHUNK) {
        workgroupBarrier();
        for (var link = lane; link < count; link += LANES) {
          let line = lineOf(map[first + head + link], row);
          lines[link] = line;
          if (block == 0u) {
            atomicAdd(&own, tables[line + present]);
          }
        }
        workgroupBarrier();
      }
      if (code < size) {
        for (var link = part; link < count; link += parts) {
          sum += tables[lines[link] + code];
        }
      }
    }
    if (parts > 1u) {
      atomicAdd(&sums[lane % width], sum);
      workgroupBarrier();
      sum = atomicLoad(&sums[lane % width]);
    }
    let stay = atomicLoad(&own) + leftBy(column, present, code);
    if (part == 0u && code < size && sum > stay) {
      atomicOr(&found[place * parameters.words + (index >> 5u)], 1u << (index & 31u));
    }
  }
}
