// Draws lines of members of a set of half-spaces, from its public seed: what a row's codes add to their sums. Members
// are i16, two in a word: that of the odd place times 2^16, plus that of the even one, so that sums of words are words
// of sums. Line 0 is of zeros, line 1 of what sums start from, and those of the coordinates follow; then, if there are
// labels, two lines with what each member asks of them: the axis in the upper half of a word, the code in the lower
// one. The first of these has two of every four members, the second the other two.
// Uses prelude.wgsl.
// Uses query.wgsl.
// Uses philox.wgsl.

// u16[2][2^15]: |x| of a threshold, and of a coordinate, by the lower 15 bits of the half of a word that it is drawn by.
@group(0) @binding(2) var<storage, read> magnitudes: array<u32>;
@group(0) @binding(3) var<storage, read_write> lines: array<i32>;

const LANES = 64u;
// A member that asks for no label.
const NOTHING = -1;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let at = groupIndex(group, groups) * LANES + lane;
  let words = 2u * parameters.width;
  let line = at / words;
  let word = at % words;
  if (at >= arrayLength(&lines) || line >= parameters.coordinates + 4u) {
    return;
  }
  let order = orderOf();
  if (line == 0u) {
    lines[at] = 0;
  } else if (line < parameters.coordinates + 2u) {
    lines[at] = drawn(order, line, parameters.member + 2u * word);
  } else {
    let pair = (line - parameters.coordinates) & 1u;
    lines[at] = label(order, parameters.member + 4u * (word / 2u) + 2u * pair + (word & 1u));
  }
}

fn numberAt(order: u32, place: u32) -> u32 {
  if (parameterWord(order, HALF_SPACES_NUMBERED) == 0u) {
    return place;
  }
  return parameterWord(order, HALF_SPACES_ROLES + (order + place) * 4u);
}

fn streamWord(order: u32, id: u32, index: u32) -> u32 {
  return philoxWord(parameterWord(order, HALF_SPACES_SEED), STREAM_HALF_SPACES, id, index);
}

// A line's word, for the members at a place and at the next one; 0 where there is no member.
fn drawn(order: u32, line: u32, place: u32) -> i32 {
  let members = parameterWord(order, HALF_SPACES_MEMBERS);
  if (place >= members) {
    return 0;
  }
  let id = select(HALF_SPACES_COORDINATES + line - 2u, HALF_SPACES_THRESHOLDS, line == 1u);
  let first = numberAt(order, place);
  let word = streamWord(order, id, first / 2u);
  let low = entry(order, line, word >> ((first & 1u) * 16u));
  if (place + 1u >= members) {
    return low;
  }
  let second = numberAt(order, place + 1u);
  var other = word;
  if (second / 2u != first / 2u) {
    other = streamWord(order, id, second / 2u);
  }
  return low + (entry(order, line, other >> ((second & 1u) * 16u)) << 16u);
}

// A coordinate, or what a sum starts from: then a row is not above the threshold if its sum is not positive.
fn entry(order: u32, line: u32, half: u32) -> i32 {
  let at = (half & 0x7fffu) + select(0x8000u, 0u, line == 1u);
  let magnitude = i32(extractBits(magnitudes[at / 2u], (at & 1u) * 16u, 16u));
  let normal = select(magnitude, -magnitude, (half & 0x8000u) != 0u);
  if (line > 1u) {
    return normal;
  }
  let isAbove = parameterWord(order, HALF_SPACES_SIDE) == SIDE_ABOVE;
  let isStrict = parameterWord(order, HALF_SPACES_STRICT) != 0u;
  return select(0, 1, isAbove != isStrict) - normal;
}

// What the member at a place asks of labels.
fn label(order: u32, place: u32) -> i32 {
  var labels = 0u;
  for (var axis = 0u; axis < order; axis++) {
    labels += u32(isLabel(order, axis));
  }
  if (labels == 0u || place >= parameterWord(order, HALF_SPACES_MEMBERS)) {
    return NOTHING;
  }
  let number = numberAt(order, place);
  var left = multiplyHigh(labels, streamWord(order, HALF_SPACES_LABELS, number));
  var axis = 0u;
  while (axis < order && (!isLabel(order, axis) || left > 0u)) {
    left -= u32(isLabel(order, axis));
    axis++;
  }
  let code = multiplyHigh(axisWord(axis, AXIS_SIZE), streamWord(order, HALF_SPACES_LABEL_CODES, number));
  return i32((axis << 16u) | code);
}

fn isLabel(order: u32, axis: u32) -> bool {
  return parameterWord(order, HALF_SPACES_ROLES + axis * 4u) == ROLE_LABEL;
}
