// The members of a set of random half-spaces, drawn from its public seed: directions and thresholds as i16 in units of
// 2^-s, labels and their codes. Everything is an integer, so all engines draw the same.
import {
  HALF_SPACES_CELLS,
  HALF_SPACES_COORDINATES,
  HALF_SPACES_LABELS,
  HALF_SPACES_LABEL_CODES,
  HALF_SPACES_MEMBERS,
  HALF_SPACES_NUMBERED,
  HALF_SPACES_ROLES,
  HALF_SPACES_SEED,
  HALF_SPACES_SIDE,
  HALF_SPACES_STRICT,
  HALF_SPACES_THRESHOLDS,
  ROLE_CODES,
  ROLE_LABEL,
  ROLE_VALUES,
  SIDE_ABOVE,
} from "../half-spaces-layout";
import { STREAM_HALF_SPACES } from "../layout";
import { below, drawWords, word } from "../philox";
import { codesOf, hasMissing, orderOf, parametersOf, sizeOf } from "./query";

/** Members are drawn, and counted, this many at a time. */
export const LANES: u32 = 32;
/** The bytes of a line: an i16 of each of LANES members. */
export const LINE_BYTES: usize = 64;

/** How many members of the set are asked for. */
@inline
export function membersOf(query: usize): u32 {
  return load<u32>(parametersOf(query), HALF_SPACES_MEMBERS);
}

/** The cells of a member: 1 unless axes divide it. */
@inline
export function cellsIn(query: usize): u32 {
  return load<u32>(parametersOf(query), HALF_SPACES_CELLS);
}

@inline
export function isAbove(query: usize): bool {
  return load<u32>(parametersOf(query), HALF_SPACES_SIDE) == SIDE_ABOVE;
}

export function roleOf(query: usize, axis: u32): u32 {
  return load<u32>(parametersOf(query) + (<usize>axis << 2), HALF_SPACES_ROLES);
}

/** Whether an axis has coordinates, unlike a label. */
export function hasCoordinates(query: usize, axis: u32): bool {
  const role = roleOf(query, axis);
  return role == ROLE_CODES || role == ROLE_VALUES;
}

/** u32[]: the numbers of the members that are asked for; 0 if these are all up to some number. */
function numbersOf(query: usize): usize {
  if (!load<u32>(parametersOf(query), HALF_SPACES_NUMBERED)) return 0;
  return parametersOf(query) + HALF_SPACES_ROLES + (<usize>orderOf(query) << 2);
}

/** The number in the set of the member at a place among those asked for. */
@inline
function numberAt(numbers: usize, place: u32): u32 {
  return numbers ? load<u32>(numbers + (<usize>place << 2)) : place;
}

/** The codes of an axis that are values. */
export function valuesOf(query: usize, axis: u32): u32 {
  return codesOf(query, axis) - u32(hasMissing(query, axis));
}

/** A value as a fraction of the axis' range, in units of 2^-15. */
@inline
export function placeOf(code: u32, values: u32): u32 {
  return (code << 15) / values;
}

/** How many coordinates an axis has. */
export function coordinatesOf(query: usize, axis: u32): u32 {
  const role = roleOf(query, axis);
  if (role == ROLE_CODES) return codesOf(query, axis);
  return role == ROLE_VALUES ? 1 + u32(hasMissing(query, axis)) : 0;
}

/** How many coordinates the axes before one have. */
export function coordinatesBefore(query: usize, axis: u32): u32 {
  let count: u32 = 0;
  for (let other: u32 = 0; other < axis; other++) count += coordinatesOf(query, other);
  return count;
}

// A normal of the half of a word: its highest bit is the sign, and with the others, r, |x| has the probability
// u = (2r + 1) / 2^16 of being exceeded. Knot 16j + i is that of u = 2^-j·(1 − i/32), in units of 2^-13; between knots
// |x| is linear, and from the last one on, where u < 2^-14, it is 4.
const LAST_KNOT: u32 = 224;
const KNOTS = memory.data<u16>([
  0, 321, 642, 965, 1289, 1615, 1943, 2275, 2610, 2950, 3295, 3646, 4004, 4370, 4744, 5129, 5525, 5729, 5935, 6146,
  6360, 6580, 6804, 7033, 7268, 7508, 7756, 8011, 8274, 8546, 8827, 9119, 9424, 9581, 9742, 9906, 10075, 10248, 10426,
  10609, 10797, 10991, 11192, 11399, 11615, 11838, 12071, 12313, 12568, 12699, 12834, 12973, 13115, 13262, 13413, 13569,
  13729, 13895, 14068, 14246, 14432, 14625, 14827, 15038, 15259, 15375, 15493, 15615, 15740, 15869, 16002, 16139, 16281,
  16428, 16581, 16739, 16904, 17077, 17257, 17446, 17645, 17748, 17854, 17964, 18076, 18192, 18312, 18437, 18565, 18698,
  18836, 18980, 19130, 19287, 19451, 19623, 19805, 19899, 19996, 20096, 20200, 20306, 20416, 20530, 20648, 20770, 20898,
  21030, 21168, 21313, 21464, 21623, 21791, 21879, 21969, 22061, 22157, 22256, 22358, 22464, 22573, 22687, 22806, 22929,
  23058, 23192, 23334, 23482, 23639, 23721, 23805, 23892, 23981, 24074, 24170, 24269, 24371, 24478, 24589, 24705, 24826,
  24953, 25085, 25225, 25373, 25450, 25529, 25611, 25695, 25783, 25873, 25966, 26063, 26164, 26269, 26379, 26493, 26613,
  26738, 26871, 27011, 27084, 27159, 27236, 27316, 27399, 27485, 27573, 27666, 27761, 27861, 27965, 28074, 28188, 28307,
  28433, 28566, 28636, 28707, 28781, 28858, 28936, 29018, 29103, 29191, 29282, 29377, 29476, 29580, 29689, 29803, 29924,
  30051, 30117, 30186, 30257, 30330, 30405, 30483, 30564, 30648, 30736, 30827, 30922, 31022, 31126, 31236, 31351, 31473,
  31537, 31603, 31670, 31741, 31813, 31888, 31966, 32047, 32131, 32218, 32310, 32406, 32506, 32611, 32722, 32768,
]);
const KNOT_BITS: u32 = 13;
/** Between knots, 2^11 steps: |x| is in units of 2^-24, and its factor in units of 2^-16. */
const STEP_BITS: u32 = 11;
const FACTOR_BITS: u32 = 16;
const SHIFT: u64 = KNOT_BITS + STEP_BITS + FACTOR_BITS;
const MOST: u64 = 4 << (KNOT_BITS + STEP_BITS);

/** |x| · factor, rounded to a whole number. */
@inline
function scaled(magnitude: u64, factor: u64): u32 {
  return <u32>((magnitude * factor + (1 << (SHIFT - 1))) >> SHIFT);
}

/** |x| · factor by r, rounded. */
function magnitudeOf(r: u32, factor: u64): u32 {
  const tail = (r << 1) | 1;
  const octave = clz(tail) - 16;
  const distance = (1 << 16) - (tail << octave);
  const knot = (octave << 4) + (distance >> STEP_BITS);
  if (knot >= LAST_KNOT) return scaled(MOST, factor);
  const from = <u32>load<u16>(KNOTS + (<usize>knot << 1));
  const to = <u32>load<u16>(KNOTS + (<usize>knot << 1), 2);
  return scaled((from << STEP_BITS) + (to - from) * (distance & ((1 << STEP_BITS) - 1)), factor);
}

/** 2^s / √d, in units of 2^-FACTOR_BITS: division and root have the same bits everywhere. */
function factorOf(bits: u32, columns: u32): u64 {
  return <u64>Math.floor(<f64>(<u64>1 << (bits + FACTOR_BITS)) / Math.sqrt(<f64>columns));
}

/** How many columns have coordinates. */
function columnsOf(query: usize): u32 {
  let columns: u32 = 0;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) columns += u32(hasCoordinates(query, axis));
  return columns;
}

/** The largest s for which no sum of a threshold, 1 and a coordinate of each column leaves i16. */
function bitsOf(columns: u32): u32 {
  let bits: u32 = 11;
  while (columns * scaled(MOST, factorOf(bits, columns)) + (4 << bits) + 1 > <u32>i16.MAX_VALUE) bits--;
  return bits;
}

/**
 * Draws the normals of one stream for LANES members from a place on: i16[LANES], 0 where there is no member.
 * @param magnitudes u16[2^15]: |x| · factor by r; or 0, where too few are drawn for a table of the factor's
 */
function drawNormals(query: usize, place: u32, id: u32, factor: u64, magnitudes: usize, out: usize): void {
  const seed = load<u32>(parametersOf(query), HALF_SPACES_SEED);
  const count = min(LANES, membersOf(query) - place);
  const numbers = numbersOf(query);
  memory.fill(out, 0, LINE_BYTES);
  let drawn: u32 = -1;
  for (let lane: u32 = 0; lane < count; lane++) {
    const number = numberAt(numbers, place + lane);
    if (number >> 5 != drawn) {
      drawn = number >> 5;
      drawWords(seed, STREAM_HALF_SPACES, id, drawn);
    }
    const half = word(number >> 1) >> ((number & 1) << 4);
    const r = half & 0x7fff;
    const magnitude = <i32>(magnitudes ? load<u16>(magnitudes + (<usize>r << 1)) : magnitudeOf(r, factor));
    store<i16>(out + (<usize>lane << 1), half & 0x8000 ? -magnitude : magnitude);
  }
}

/** The bytes of the table that directions are drawn with. */
export const MAGNITUDES_BYTES: usize = 1 << 16;

/** Fills the table that directions of a query are drawn with. */
export function fillMagnitudes(query: usize, out: usize): void {
  const columns = columnsOf(query);
  fillTable(factorOf(bitsOf(columns), columns), out);
}

/** |x| · factor by r: u16[2^15]. */
function fillTable(factor: u64, out: usize): void {
  for (let r: u32 = 0; r < 1 << 15; r++) store<u16>(out + (<usize>r << 1), magnitudeOf(r, factor));
}

/**
 * What a GPU draws members with: |x| by r, of thresholds and then of coordinates.
 * @param out u16[2][2^15]
 */
export function halfSpaceMagnitudes(query: usize, out: usize): void {
  fillTable(factorOf(bitsOf(columnsOf(query)), 1), out);
  fillMagnitudes(query, out + MAGNITUDES_BYTES);
}

/**
 * Writes what LANES members from a place on ask for, i16[LANES] each: what their sums start from, the axes and codes of
 * their labels (u16), and all coordinates of their directions. A row is below the threshold if its sum is not positive.
 * Returns s: numbers are in units of 2^-s.
 */
export function halfSpaceMembers(query: usize, place: u32, out: usize): u32 {
  const columns = columnsOf(query);
  const bits = bitsOf(columns);
  drawStarts(query, place, out);
  drawLabels(query, place, out + LINE_BYTES, out + 2 * LINE_BYTES);
  out += 3 * LINE_BYTES;
  for (let at: u32 = 0, end = coordinatesBefore(query, orderOf(query)); at < end; at++, out += LINE_BYTES)
    drawNormals(query, place, HALF_SPACES_COORDINATES + at, factorOf(bits, columns), 0, out);
  return bits;
}

/** Draws a coordinate of the directions of LANES members: i16[LANES]. */
export function drawDirections(query: usize, place: u32, coordinate: u32, magnitudes: usize, out: usize): void {
  drawNormals(query, place, HALF_SPACES_COORDINATES + coordinate, 0, magnitudes, out);
}

/**
 * Draws the thresholds of LANES members, i16[LANES], as what a sum starts from: a row is below the threshold (with it,
 * where this side has it) if its sum is not positive.
 */
export function drawStarts(query: usize, place: u32, out: usize): void {
  const isStrict = load<u32>(parametersOf(query), HALF_SPACES_STRICT) != 0;
  const step = i32(isAbove(query) != isStrict);
  drawNormals(query, place, HALF_SPACES_THRESHOLDS, factorOf(bitsOf(columnsOf(query)), 1), 0, out);
  for (const end = out + LINE_BYTES; out < end; out += 2) store<i16>(out, step - load<i16>(out));
}

/** The axis of the label with a number. */
function labelAxis(query: usize, number: u32): u32 {
  let axis: u32 = 0;
  while (roleOf(query, axis) != ROLE_LABEL || number-- > 0) axis++;
  return axis;
}

/**
 * Draws what LANES members ask of labels.
 * @param axes u16[LANES]: the label's axis, -1 where there is none
 * @param codes u16[LANES]: its code
 */
export function drawLabels(query: usize, place: u32, axes: usize, codes: usize): void {
  let labels: u32 = 0;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) labels += u32(roleOf(query, axis) == ROLE_LABEL);
  const seed = load<u32>(parametersOf(query), HALF_SPACES_SEED);
  const count = labels ? min(LANES, membersOf(query) - place) : 0;
  const numbers = numbersOf(query);
  memory.fill(axes, 0xff, LINE_BYTES);
  for (let lane: u32 = 0; lane < count; lane++, axes += 2, codes += 2) {
    const number = numberAt(numbers, place + lane);
    drawWords(seed, STREAM_HALF_SPACES, HALF_SPACES_LABELS, number >> 4);
    const axis = labelAxis(query, below(labels, word(number)));
    drawWords(seed, STREAM_HALF_SPACES, HALF_SPACES_LABEL_CODES, number >> 4);
    store<u16>(axes, axis);
    store<u16>(codes, below(sizeOf(query, axis), word(number)));
  }
}
