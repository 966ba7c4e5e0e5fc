// Counts rows in boxes, a chunk of rows at a time. The rows of a chunk that are in a range are a map, with a bit for
// each row; those in a box are the intersection of the maps of its sides.
//
// For a few boxes, the rows are compared with the ends of each range. For many, each axis has a map of the rows below
// any code: as many maps as the chunk's rows have different codes, and one of no row. A range is the difference of two.
import { alloc, mark, rewind } from "../arena";
import {
  axisOf,
  boundOf,
  boxBytes,
  boxesOf,
  cellsIn,
  columnAt,
  dividedOf,
  endOf,
  firstBox,
  isDivided,
  isIn,
  sidesIn,
  startOf,
} from "./boxes";
import { codesOf, orderOf, sizeOf } from "./query";

/** Rows of a chunk, and bytes of a map. */
const CHUNK: usize = 512;
const MAP: usize = CHUNK >> 3;

/** Divided axes are bits of a word. */
const MOST_AXES: usize = 32;

/** From so many sides per axis on, maps of the rows below any code cost less than comparing. */
const MANY: u32 = ASC_FEATURE_SIMD ? 96 : 8;

/**
 * Up to so many cells have maps of their own, if there are as many boxes. Otherwise the rows in a box are counted one
 * by one.
 */
const MOST_MAPS: u32 = ASC_FEATURE_SIMD ? 16 : 0;

// Scratch: the map of the chunk's rows; that of the rows in a box; the cell of each row in the boxes that it is in; the
// maps of the cells, and the sides of one; for each axis the pointer to its INDEX. The INDEXes follow, each with its
// maps.
const INSIDE: usize = MAP;
const CELLS: usize = INSIDE + MAP;
const CELL_MAPS: usize = CELLS + 4 * CHUNK;
const CELL_SIDES: usize = CELL_MAPS + <usize>MOST_MAPS * MAP;
const INDICES: usize = CELL_SIDES + 8 * MOST_AXES;
const SCRATCH: usize = INDICES + 4 * MOST_AXES;

// INDEX[codes / 64 + 1]: u64, a bit for each code that follows one that a row has; u32, the map of the rows that have
// none of them, but codes before.
const INDEX_BYTES: usize = 16;
const INDEX_MAPS: usize = 8;

@inline
function hasMany(query: usize): bool {
  return <u64>boxesOf(query) * sidesIn(query) >= <u64>MANY * orderOf(query);
}

@inline
function indexBytes(codes: u32): usize {
  return ((<usize>codes >> 6) + 1) * INDEX_BYTES;
}

@inline
function bytesWithMaps(codes: u32): usize {
  return indexBytes(codes) + (min(<usize>codes, CHUNK) + 1) * MAP;
}

/** The bytes of the arena that `answerRows` takes until it returns. */
export function rangesScratch(query: usize): usize {
  let bytes = SCRATCH;
  if (hasMany(query))
    for (let axis: u32 = 0; axis < orderOf(query); axis++)
      if (!isDivided(query, axis)) bytes += bytesWithMaps(codesOf(query, axis));
  return bytes;
}

export function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  const free = mark();
  const bytes = rangesScratch(query);
  const scratch = alloc(bytes);
  // Whoever counts has made sure of this memory: `vaultBytes` and `searchBytes` contain it.
  if (!scratch) unreachable();
  for (let row: usize = 0; row < <usize>rows; row += CHUNK)
    countChunk(query, columns, row, min(CHUNK, <usize>rows - row), scratch, out);
  // What is left there says something about the rows, which may be private.
  memory.fill(scratch, 0, bytes);
  rewind(free);
}

/** Adds the `rows` rows from `row` to the answers. */
function countChunk(query: usize, columns: usize, row: usize, rows: usize, scratch: usize, out: usize): void {
  for (let at: usize = 0; at < CHUNK; at += 64)
    store<u64>(scratch + (at >> 3), rows >= at + 64 ? -1 : rows > at ? (<u64>1 << (rows - at)) - 1 : 0);
  const isMany = hasMany(query);
  if (isMany) fillIndices(query, columns, row, rows, scratch);
  const cells = cellsIn(query);
  const divided = dividedOf(query);
  const hasMaps = divided && cells <= min(MOST_MAPS, boxesOf(query));
  // The codes of a single divided column are the cells.
  const codes = popcnt(divided) == 1 ? columnAt(query, columns, ctz(divided)) + (row << 1) : 0;
  if (hasMaps) mapCells(query, columns, row, rows, scratch);
  else if (divided && !codes) findCells(query, columns, row, rows, scratch);
  const bytes = boxBytes(query);
  const inside = scratch + INSIDE;
  let box = firstBox(query);
  for (let left = boxesOf(query); left > 0; left--, box += bytes, out += <usize>cells << 2) {
    if (isMany) intersect(scratch, box, box + bytes);
    else compare(query, columns, box, box + bytes, row, rows, inside);
    if (!divided) addTo(out, sizeOfMap(inside));
    else if (hasMaps)
      for (let cell: u32 = 0; cell < cells; cell++)
        addTo(out + (<usize>cell << 2), sizeOfBoth(inside, scratch + CELL_MAPS + <usize>cell * MAP));
    else if (codes) countCodes(inside, codes, out);
    else countCells(inside, scratch + CELLS, out);
  }
}

@inline
function addTo(place: usize, amount: u32): void {
  store<u32>(place, load<u32>(place) + amount);
}

/** Writes the maps of the cells. A cell is a box with one code on each divided axis. */
function mapCells(query: usize, columns: usize, row: usize, rows: usize, scratch: usize): void {
  let map = scratch + CELL_MAPS;
  for (let cell: u32 = 0; cell < cellsIn(query); cell++, map += MAP) {
    let side = scratch + CELL_SIDES;
    let rest = cell;
    for (let axis = orderOf(query); axis-- > 0; ) {
      if (!isDivided(query, axis)) continue;
      const size = sizeOf(query, axis);
      store<u32>(side, axis);
      store<u32>(side, (1 << 16) | (rest % size), 4);
      rest /= size;
      side += 8;
    }
    compare(query, columns, scratch + CELL_SIDES, side, row, rows, map);
  }
}

/** Writes the cell of each row. */
function findCells(query: usize, columns: usize, row: usize, rows: usize, scratch: usize): void {
  const cells = scratch + CELLS;
  memory.fill(cells, 0, 4 * CHUNK);
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    if (!isDivided(query, axis)) continue;
    const size = sizeOf(query, axis);
    let codes = columnAt(query, columns, axis) + (row << 1);
    for (let cell = cells, end = cells + (rows << 2); cell < end; cell += 4, codes += 2)
      store<u32>(cell, load<u32>(cell) * size + load<u16>(codes));
  }
}

/** Counts the rows inside a box into its cells. @param cells u32[]: the cell of each row */
function countCells(inside: usize, cells: usize, out: usize): void {
  for (const end = inside + MAP; inside < end; inside += 8, cells += 4 * 64)
    for (let bits = load<u64>(inside); bits; bits &= bits - 1)
      addTo(out + ((<usize>load<u32>(cells + (<usize>ctz(bits) << 2))) << 2), 1);
}

/** Counts the rows inside a box into its cells. @param codes u16[]: the cell of each row */
function countCodes(inside: usize, codes: usize, out: usize): void {
  for (const end = inside + MAP; inside < end; inside += 8, codes += 2 * 64)
    for (let bits = load<u64>(inside); bits; bits &= bits - 1)
      addTo(out + ((<usize>load<u16>(codes + (<usize>ctz(bits) << 1))) << 2), 1);
}

/** Writes the map of the rows that are on all of these sides, by comparing. */
function compare(query: usize, columns: usize, sides: usize, end: usize, first: usize, rows: usize, map: usize): void {
  memory.fill(map, 0, MAP);
  let row: usize = 0;
  if (ASC_FEATURE_SIMD)
    for (; row + 32 <= rows; row += 32) {
      let a = i16x8.splat(-1);
      let b = a;
      let c = a;
      let d = a;
      for (let side = sides; side < end; side += 8) {
        const codes = columnAt(query, columns, axisOf(side)) + ((first + row) << 1);
        const bound = boundOf(side);
        // Differences and widths as signed numbers, which compare in one instruction.
        const start = i16x8.splat(<i16>(bound ^ 0x8000));
        const width = i16x8.splat(<i16>((bound >> 16) ^ 0x8000));
        a = v128.and(a, i16x8.lt_s(i16x8.sub(v128.load(codes), start), width));
        b = v128.and(b, i16x8.lt_s(i16x8.sub(v128.load(codes, 16), start), width));
        c = v128.and(c, i16x8.lt_s(i16x8.sub(v128.load(codes, 32), start), width));
        d = v128.and(d, i16x8.lt_s(i16x8.sub(v128.load(codes, 48), start), width));
      }
      const low = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
      store<u32>(map + (row >> 3), low | ((<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(c, d))) << 16));
    }
  for (; row < rows; row++) if (isOn(query, columns, sides, end, first + row)) addRow(map, row);
}

function isOn(query: usize, columns: usize, side: usize, end: usize, row: usize): bool {
  for (; side < end; side += 8)
    if (!isIn(load<u16>(columnAt(query, columns, axisOf(side)) + (row << 1)), boundOf(side))) return false;
  return true;
}

@inline
function addRow(map: usize, row: usize): void {
  const byte = map + (row >> 3);
  store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (<u32>row & 7)));
}

@inline
function sizeOfMap(map: usize): u32 {
  return <u32>(
    (popcnt(load<u64>(map)) +
      popcnt(load<u64>(map, 8)) +
      popcnt(load<u64>(map, 16)) +
      popcnt(load<u64>(map, 24)) +
      popcnt(load<u64>(map, 32)) +
      popcnt(load<u64>(map, 40)) +
      popcnt(load<u64>(map, 48)) +
      popcnt(load<u64>(map, 56)))
  );
}

@inline
function sizeOfBoth(map: usize, other: usize): u32 {
  let size: u64 = 0;
  for (let word: usize = 0; word < MAP; word += 8) size += popcnt(load<u64>(map + word) & load<u64>(other + word));
  return <u32>size;
}

@inline
function entryOf(index: usize, code: u32): usize {
  return index + ((<usize>(code >> 6)) << 4);
}

/** The map of the rows below a code. */
@inline
function mapBelow(index: usize, code: u32): usize {
  const entry = entryOf(index, code);
  return load<usize>(entry, INDEX_MAPS) + ((<usize>popcnt(load<u64>(entry) << ~(<u64>code))) << 6);
}

@inline
function indexOf(scratch: usize, axis: u32): usize {
  return load<usize>(scratch + INDICES + (<usize>axis << 2));
}

function fillIndices(query: usize, columns: usize, row: usize, rows: usize, scratch: usize): void {
  let index = scratch + SCRATCH;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    if (isDivided(query, axis)) continue;
    const codes = codesOf(query, axis);
    store<usize>(scratch + INDICES + (<usize>axis << 2), index);
    fillIndex(index, codes, columnAt(query, columns, axis) + (row << 1), rows);
    index += bytesWithMaps(codes);
  }
}

/** Fills an axis' INDEX, and the maps behind it. */
function fillIndex(index: usize, codes: u32, column: usize, rows: usize): void {
  const maps = index + indexBytes(codes);
  memory.fill(index, 0, indexBytes(codes));
  for (let code = column, end = column + (rows << 1); code < end; code += 2) {
    const next = <u32>load<u16>(code) + 1;
    const entry = entryOf(index, next);
    store<u64>(entry, load<u64>(entry) | (<u64>1 << next));
  }
  let end = maps;
  for (let entry = index; entry < maps; entry += INDEX_BYTES) {
    store<u32>(entry, end, INDEX_MAPS);
    end += (<usize>popcnt(load<u64>(entry))) << 6;
  }
  end += MAP;
  memory.fill(maps, 0, end - maps);
  for (let row: usize = 0; row < rows; row++) addRow(mapBelow(index, load<u16>(column + (row << 1))) + MAP, row);
  for (let map = maps + MAP; map < end; map += MAP)
    for (let word: usize = 0; word < MAP; word += 8)
      store<u64>(map + word, load<u64>(map + word) | load<u64>(map + word - MAP));
}

/** Writes the map of the rows in a box, whose sides end at `end`. */
@inline
function intersect(scratch: usize, side: usize, end: usize): void {
  if (ASC_FEATURE_SIMD) {
    let a = v128.load(scratch);
    let b = v128.load(scratch, 16);
    let c = v128.load(scratch, 32);
    let d = v128.load(scratch, 48);
    for (; side < end; side += 8) {
      const index = indexOf(scratch, axisOf(side));
      const bound = boundOf(side);
      const below = mapBelow(index, endOf(bound));
      a = v128.and(a, v128.load(below));
      b = v128.and(b, v128.load(below, 16));
      c = v128.and(c, v128.load(below, 32));
      d = v128.and(d, v128.load(below, 48));
      if (!startOf(bound)) continue;
      const before = mapBelow(index, startOf(bound));
      a = v128.andnot(a, v128.load(before));
      b = v128.andnot(b, v128.load(before, 16));
      c = v128.andnot(c, v128.load(before, 32));
      d = v128.andnot(d, v128.load(before, 48));
    }
    v128.store(scratch + INSIDE, a);
    v128.store(scratch + INSIDE, b, 16);
    v128.store(scratch + INSIDE, c, 32);
    v128.store(scratch + INSIDE, d, 48);
    return;
  }
  const inside = scratch + INSIDE;
  memory.copy(inside, scratch, MAP);
  for (; side < end; side += 8) {
    const index = indexOf(scratch, axisOf(side));
    const bound = boundOf(side);
    const below = mapBelow(index, endOf(bound));
    const before = mapBelow(index, startOf(bound));
    for (let word: usize = 0; word < MAP; word += 8)
      store<u64>(inside + word, load<u64>(inside + word) & load<u64>(below + word) & ~load<u64>(before + word));
  }
}
