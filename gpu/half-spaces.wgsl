// Counts the rows on the sides of half-spaces: each lane has four members, and a workgroup a chunk of the rows, which
// are sorted by the cell that they have in every member. Lines hold what codes add to the members' sums, as
// half-spaces-lines.wgsl draws them. A sum of i16 stays in i16, so a word adds up two of them. Values multiply their
// line, and each product is rounded on its own.
// Uses prelude.wgsl.
// Uses counting.wgsl.
@group(0) @binding(4) var<storage, read> sorted: array<u32>;
@group(0) @binding(5) var<storage, read> lines: array<vec2<i32>>;

const LANES = 64u;
// Rows that are read together, and of these, so many that are added up at once.
const ROWS = 16u;
const TOGETHER = 4u;
// Words of a row, one more than there can be axes.
const SPACING = 65u;
const AXES = 64u;
const MISSING = 0x80000000u;

// Of each axis its role, its column, the place of its first line, and how many of its codes are values.
var<workgroup> axes: array<vec4<u32>, AXES>;
// What each axis adds to a row's sums: the place of a line; a value, in units of 2^-15, or MISSING; the code of a
// label. Then the row's cell.
var<workgroup> staged: array<u32, 1040>;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let at = groupIndex(group, groups);
  if (at >= parameters.groups) {
    return;
  }
  let order = min(orderOf(), AXES);
  if (lane < order) {
    axes[lane] = axisAt(order, lane);
  }
  let members = parameterWord(order, HALF_SPACES_MEMBERS);
  let each = parameterWord(order, HALF_SPACES_CELLS);
  let isBelow = parameterWord(order, HALF_SPACES_SIDE) == SIDE_BELOW;
  let width = parameters.width;
  let own = at / parameters.chunks * LANES + lane;
  let starts = lines[width + own];
  let places = vec4(parameters.member + 4u * own) + vec4(0u, 1u, 2u, 3u);
  let labelLine = (parameters.coordinates + 2u) * width + own;
  let labels = bitcast<vec4<u32>>(vec4(lines[labelLine], lines[labelLine + width]));
  let begin = at % parameters.chunks * parameters.chunk;
  let limit = min(parameters.rows, begin + parameters.chunk);
  var current = 0u;
  var count = vec4(0);
  for (var start = begin; start < limit; start += ROWS) {
    workgroupBarrier();
    for (var entry = lane; entry < ROWS * order; entry += LANES) {
      let row = entry / order;
      let axis = entry % order;
      staged[row * SPACING + axis] = addedBy(axes[axis], sorted[min(start + row, limit - 1u)]);
    }
    workgroupBarrier();
    if (each > 1u) {
      if (lane < ROWS) {
        staged[lane * SPACING + order] = cellOf(order, lane);
      }
      workgroupBarrier();
    }
    let end = min(ROWS, limit - start);
    for (var row = 0u; row < end; row += TOGETHER) {
      var sums = array(starts, starts, starts, starts);
      var products = array<vec4<i32>, TOGETHER>();
      var others = array<vec4<bool>, TOGETHER>();
      for (var axis = 0u; axis < order; axis++) {
        let facts = axes[axis];
        let first = row * SPACING + axis;
        switch facts.x {
          case ROLE_CODES: {
            for (var next = 0u; next < TOGETHER; next++) {
              sums[next] += lines[staged[first + next * SPACING] + own];
            }
          }
          case ROLE_VALUES: {
            let direction = halves(lines[facts.z + own]);
            for (var next = 0u; next < TOGETHER; next++) {
              let value = staged[first + next * SPACING];
              if (value == MISSING) {
                sums[next] += lines[facts.z + width + own];
              } else {
                products[next] += (direction * i32(value) + 0x4000) >> vec4(15u);
              }
            }
          }
          case ROLE_LABEL: {
            let asked = (labels >> vec4(16u)) == vec4(axis);
            for (var next = 0u; next < TOGETHER; next++) {
              let code = staged[first + next * SPACING];
              others[next] |= asked & ((labels & vec4(0xffffu)) != vec4(code));
            }
          }
          default: {
          }
        }
      }
      for (var next = 0u; next < min(TOGETHER, end - row); next++) {
        let cell = staged[(row + next) * SPACING + order];
        if (each > 1u && cell != current) {
          addCounts(members, each, places, current, count);
          current = cell;
          count = vec4(0);
        }
        let isInside = ((halves(sums[next]) + products[next]) <= vec4(0)) == vec4(isBelow);
        count += select(vec4(0), vec4(1), isInside & !others[next]);
      }
    }
  }
  addCounts(members, each, places, current, count);
}

fn addCounts(members: u32, each: u32, places: vec4<u32>, cell: u32, count: vec4<i32>) {
  for (var member = 0u; member < 4u; member++) {
    if (places[member] < members) {
      addTo(places[member] * each + cell, count[member]);
    }
  }
}

// The i16 in two words.
fn halves(words: vec2<i32>) -> vec4<i32> {
  let low = extractBits(words, 0u, 16u);
  let high = (words - low) >> vec2(16u);
  return vec4(low.x, high.x, low.y, high.y);
}

fn roleOf(order: u32, axis: u32) -> u32 {
  return parameterWord(order, HALF_SPACES_ROLES + axis * 4u);
}

// The codes of an axis that are values.
fn valuesOf(axis: u32) -> u32 {
  let fine = axisWord(axis, AXIS_FINE);
  return select(axisWord(axis, AXIS_SIZE) - axisWord(axis, AXIS_MISSING), fine, fine > 0u);
}

fn axisAt(order: u32, axis: u32) -> vec4<u32> {
  var line = 2u;
  for (var other = 0u; other < axis; other++) {
    let role = roleOf(order, other);
    if (role == ROLE_CODES) {
      line += valuesOf(other) + axisWord(other, AXIS_MISSING);
    } else if (role == ROLE_VALUES) {
      line += 1u + axisWord(other, AXIS_MISSING);
    }
  }
  return vec4(roleOf(order, axis), axisWord(axis, AXIS_COLUMN), line * parameters.width, valuesOf(axis));
}

fn addedBy(facts: vec4<u32>, row: u32) -> u32 {
  let code = codeAt(facts.y, row);
  if (facts.x == ROLE_CODES) {
    return facts.z + code * parameters.width;
  }
  if (facts.x == ROLE_VALUES) {
    return select(MISSING, (code << 15u) / max(facts.w, 1u), code < facts.w);
  }
  return code;
}

fn cellOf(order: u32, row: u32) -> u32 {
  var cell = 0u;
  for (var axis = 0u; axis < order; axis++) {
    if (axes[axis].x == ROLE_DIVIDED) {
      cell = cell * axisWord(axis, AXIS_SIZE) + staged[row * SPACING + axis];
    }
  }
  return cell;
}
