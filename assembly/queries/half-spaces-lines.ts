// Tables of LANES members of a set of half-spaces, from which the sum of a row is added up: a line holds what one code
// adds to the sum of each member, i16[LANES]. Columns with few codes are grouped, with a line for each combination of
// their codes, so that a row reads one line for all of them. Columns with many values have no lines: their direction
// is multiplied by the value. Labels are grouped too: where a label is not the one asked for, its line takes the sum to
// the side that does not count.
import { HALF_SPACES_MOST_AXES, ROLE_CODES, ROLE_LABEL, ROLE_VALUES } from "../half-spaces-layout";
import {
  LINE_BYTES,
  coordinatesBefore,
  drawDirections,
  drawLabels,
  drawStarts,
  isAbove,
  placeOf,
  roleOf,
  valuesOf,
} from "./half-spaces-members";
import { codesOf, columnOf, hasMissing, orderOf } from "./query";

/** The most lines of a group of several columns. */
const MOST_LINES: u32 = 256;

/** How the codes of an axis choose among lines. */
enum Sort {
  /** By the code. */
  CODE,
  /** By the code, whose value multiplies the direction. */
  VALUE,
  /** By whether it is missing. */
  PRESENCE,
  /** By the code of a label. */
  LABEL,
}

/** A column in a group. */
@unmanaged
class Part {
  axis: u32;
  sort: Sort;
  /** How many lines it chooses among, and how far apart these are in its group. */
  lines: u32;
  stride: u32;
  group: u32;
}

/** Lines, one for each combination of what its parts choose among. */
@unmanaged
class Group {
  /** Where they are, and how many. */
  table: usize;
  lines: u32;
}

const PARTS = memory.data(20 * HALF_SPACES_MOST_AXES, 4);
const GROUPS = memory.data(8 * HALF_SPACES_MOST_AXES, 4);
/** u32[]: the axes whose value multiplies their direction. */
const MULTIPLIED = memory.data(4 * HALF_SPACES_MOST_AXES, 4);
let parts: u32 = 0;
let groups: u32 = 0;
let multiplied: u32 = 0;
/** The number of groups that are not of labels; these come first. */
let plainGroups: u32 = 0;
/** The lines of all groups. */
let lines: usize = 0;

/** The lines of one part, while they are combined with those of its group. */
const PART_LINES = memory.data(16384, 16);
const THRESHOLDS = memory.data(64, 16);
const LABEL_AXES = memory.data(64, 16);
const LABEL_CODES = memory.data(64, 16);

@inline
function partAt(index: u32): Part {
  return changetype<Part>(PARTS + <usize>index * offsetof<Part>());
}

@inline
function groupAt(index: u32): Group {
  return changetype<Group>(GROUPS + <usize>index * offsetof<Group>());
}

function openGroup(): void {
  groupAt(groups).lines = 1;
  groups++;
}

/** Adds a part to the first group, from one on, that has room for it. */
function addPart(axis: u32, sort: Sort, count: u32, firstGroup: u32): void {
  let at = firstGroup;
  while (at < groups && groupAt(at).lines * count > MOST_LINES) at++;
  if (at == groups) openGroup();
  const part = partAt(parts);
  parts++;
  part.axis = axis;
  part.sort = sort;
  part.lines = count;
  part.stride = groupAt(at).lines;
  part.group = at;
  groupAt(at).lines *= count;
}

/** Puts the columns of a query into groups. Thresholds are in the lines of the first. */
function layOut(query: usize): void {
  parts = groups = multiplied = 0;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const role = roleOf(query, axis);
    const codes = codesOf(query, axis);
    if (role == ROLE_CODES) addPart(axis, Sort.CODE, codes, 0);
    else if (role == ROLE_VALUES) {
      if (codes <= MOST_LINES) addPart(axis, Sort.VALUE, codes, 0);
      else {
        store<u32>(MULTIPLIED + (<usize>multiplied << 2), axis);
        multiplied++;
        if (hasMissing(query, axis)) addPart(axis, Sort.PRESENCE, 2, 0);
      }
    }
  }
  if (!groups) openGroup();
  plainGroups = groups;
  for (let axis: u32 = 0; axis < orderOf(query); axis++)
    if (roleOf(query, axis) == ROLE_LABEL) addPart(axis, Sort.LABEL, codesOf(query, axis), plainGroups);
  lines = 0;
  for (let group: u32 = 0; group < groups; group++) lines += groupAt(group).lines;
}

/** Lays out tables for a query. Returns the bytes that they take. */
export function tableBytes(query: usize): usize {
  layOut(query);
  return (lines + multiplied) * LINE_BYTES;
}

/** The bytes of what `readRows` writes of a row; after `tableBytes`. */
export function rowBytes(): usize {
  return (<usize>(groups + multiplied)) << 2;
}

/** Which bytes of a row are pointers to the lines of labels, which come last, and which before them are values. */
export function labelsIn(): usize {
  return (<usize>(plainGroups + multiplied)) << 2;
}

export function valuesIn(): usize {
  return <usize>plainGroups << 2;
}

/** The directions that values multiply, a line each, in tables that begin at `tables`. */
export function multipliedIn(tables: usize): usize {
  return tables + lines * LINE_BYTES;
}

/**
 * Writes of rows what their sums are added up from, u32 each: a pointer to a line of each group, then the values, in
 * units of 2^-15, then pointers to the lines of labels.
 * @param order where rows are not in their order: u64[rows], the row in the lower half; otherwise 0
 */
export function readRows(
  query: usize,
  columns: usize,
  first: u32,
  rows: u32,
  tables: usize,
  order: usize,
  out: usize,
): void {
  const bytes = rowBytes();
  let table = tables;
  for (let index: u32 = 0; index < groups; index++) {
    const group = groupAt(index);
    group.table = table;
    const entry = out + ((<usize>(index < plainGroups ? index : index + multiplied)) << 2);
    for (let at = entry, end = entry + rows * bytes; at < end; at += bytes) store<usize>(at, table);
    table += group.lines * LINE_BYTES;
  }
  for (let index: u32 = 0; index < parts; index++) {
    const part = partAt(index);
    const codes = load<usize>(columns + ((<usize>columnOf(query, part.axis)) << 2)) + (<usize>first << 1);
    const missing = part.sort == Sort.PRESENCE ? valuesOf(query, part.axis) : <u32>-1;
    const stride = part.stride * LINE_BYTES;
    let entry = out + ((<usize>(part.sort == Sort.LABEL ? part.group + multiplied : part.group)) << 2);
    for (let row: u32 = 0; row < rows; row++, entry += bytes) {
      const code = codeAt(codes, row, order);
      store<usize>(entry, load<usize>(entry) + (missing == -1 ? code : usize(code == missing)) * stride);
    }
  }
  for (let index: u32 = 0; index < multiplied; index++) {
    const axis = load<u32>(MULTIPLIED + (<usize>index << 2));
    const codes = load<usize>(columns + (<usize>columnOf(query, axis) << 2)) + (<usize>first << 1);
    const values = valuesOf(query, axis);
    let entry = out + ((<usize>(plainGroups + index)) << 2);
    for (let row: u32 = 0; row < rows; row++, entry += bytes) {
      const code = <u32>codeAt(codes, row, order);
      store<u32>(entry, code == values ? 0 : placeOf(code, values));
    }
  }
}

@inline
function codeAt(codes: usize, row: u32, order: usize): usize {
  const at = order ? <usize>load<u32>(order + (<usize>row << 3)) : <usize>row;
  return load<u16>(codes + (at << 1));
}

/**
 * Fills the tables, whose places `readRows` has set, for the members from a place on.
 * @param magnitudes as `fillMagnitudes` leaves them
 */
export function drawTables(query: usize, place: u32, tables: usize, magnitudes: usize): void {
  drawStarts(query, place, THRESHOLDS);
  drawLabels(query, place, LABEL_AXES, LABEL_CODES);
  for (let index: u32 = 0; index < groups; index++) memory.fill(groupAt(index).table, 0, LINE_BYTES);
  for (let index: u32 = 0; index < parts; index++) {
    const part = partAt(index);
    const table = groupAt(part.group).table;
    if (part.stride == 1 && part.lines > MOST_LINES) drawPart(query, place, part, magnitudes, table);
    else {
      drawPart(query, place, part, magnitudes, PART_LINES);
      combine(table, part.stride, PART_LINES, part.lines);
    }
  }
  const first = groupAt(0);
  for (let line: u32 = 0; line < first.lines; line++) {
    const at = first.table + line * LINE_BYTES;
    addLines(at, at, THRESHOLDS);
  }
  let direction = multipliedIn(tables);
  for (let index: u32 = 0; index < multiplied; index++, direction += LINE_BYTES) {
    const axis = load<u32>(MULTIPLIED + (<usize>index << 2));
    drawDirections(query, place, coordinatesBefore(query, axis), magnitudes, direction);
  }
}

/** Writes a line for each of the lines that a part chooses among. */
function drawPart(query: usize, place: u32, part: Part, magnitudes: usize, out: usize): void {
  const count = part.lines;
  const before = coordinatesBefore(query, part.axis);
  if (part.sort == Sort.LABEL) return writePenalties(query, part.axis, count, out);
  if (part.sort == Sort.PRESENCE) {
    memory.fill(out, 0, LINE_BYTES);
    return drawDirections(query, place, before + 1, magnitudes, out + LINE_BYTES);
  }
  if (part.sort == Sort.CODE) {
    for (let code: u32 = 0; code < count; code++, out += LINE_BYTES)
      drawDirections(query, place, before + code, magnitudes, out);
    return;
  }
  const values = valuesOf(query, part.axis);
  if (values < count) drawDirections(query, place, before + 1, magnitudes, out + values * LINE_BYTES);
  drawDirections(query, place, before, magnitudes, out);
  // The first value, which is 0, comes last: until then, the direction is in its place.
  for (let value = values; value-- > 0; ) scaleLine(out + value * LINE_BYTES, out, placeOf(value, values));
}

/** For each code of a label, a line with the penalty of the members that ask for another code of it. */
function writePenalties(query: usize, axis: u32, codes: u32, out: usize): void {
  const penalty: i32 = isAbove(query) ? i16.MIN_VALUE : i16.MAX_VALUE;
  for (let code: u32 = 0; code < codes; code++)
    for (let lane: usize = 0; lane < LINE_BYTES; lane += 2, out += 2) {
      const asksOther = load<u16>(LABEL_AXES + lane) == axis && load<u16>(LABEL_CODES + lane) != code;
      store<i16>(out, asksOther ? penalty : 0);
    }
}

/** Makes of `have` lines those of all combinations with `count` others: that of (i, j) is the sum, at i + have · j. */
function combine(table: usize, have: u32, others: usize, count: u32): void {
  const bytes = have * LINE_BYTES;
  for (let j = count; j-- > 0; ) {
    const out = table + j * bytes;
    const other = others + j * LINE_BYTES;
    for (let line: usize = 0; line < bytes; line += LINE_BYTES) addLines(out + line, table + line, other);
  }
}

/** out = a + b */
function addLines(out: usize, a: usize, b: usize): void {
  if (ASC_FEATURE_SIMD)
    for (let at: usize = 0; at < LINE_BYTES; at += 16)
      v128.store(out + at, i16x8.add(v128.load(a + at), v128.load(b + at)));
  else for (let at: usize = 0; at < LINE_BYTES; at += 2) store<i16>(out + at, load<i16>(a + at) + load<i16>(b + at));
}

/** out = line · value, in units of 2^-15, rounded. */
function scaleLine(out: usize, line: usize, value: u32): void {
  if (ASC_FEATURE_SIMD) {
    const lanes = i16x8.splat(<i16>value);
    for (let at: usize = 0; at < LINE_BYTES; at += 16)
      v128.store(out + at, i16x8.q15mulr_sat_s(v128.load(line + at), lanes));
  } else for (let at: usize = 0; at < LINE_BYTES; at += 2) store<i16>(out + at, product(load<i16>(line + at), value));
}

/** A direction times a value below 2^15 in units of 2^-15, rounded as `q15mulr_sat_s` does. */
@inline
export function product(direction: i32, value: u32): i32 {
  return (direction * <i32>value + 0x4000) >> 15;
}
