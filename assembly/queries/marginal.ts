// Counts rows into the cells of a marginal, or of the finest level of a tree: one cell for each combination of codes.
// Cell indices are computed in four (or eight) lanes where the build has SIMD, so only the additions to memory are done
// one row at a time.
import { MAX_ORDER } from "../layout";
import { cellAt, cellFactor, columnOf, fineOf, finestOffset, orderOf, sizeOf } from "./query";

// u64[MAX_ORDER]: what `cellAt` needs of each axis.
const FACTORS = memory.data(8 * MAX_ORDER, 8);

/** Adds `rows` rows to the cells of the finest level, as `answerRows` (index.ts) requires. */
export function countCells(query: usize, columns: usize, rows: u32, out: usize): void {
  const cells = out + (<usize>finestOffset(query) << 2);
  const order = orderOf(query);
  if (order == 0) store<i32>(cells, load<i32>(cells) + <i32>rows);
  else if (isFine(query)) countAny(query, columns, rows, cells);
  else if (order == 1) count1(codes(query, columns, 0), rows, cells);
  else if (order == 2) count2(codes(query, columns, 0), codes(query, columns, 1), sizeOf(query, 1), rows, cells);
  else if (order == 3)
    count3(
      codes(query, columns, 0),
      codes(query, columns, 1),
      codes(query, columns, 2),
      sizeOf(query, 1),
      sizeOf(query, 2),
      rows,
      cells,
    );
  else countAny(query, columns, rows, cells);
}

/** Whether rows have finer codes than cells on some axis. */
function isFine(query: usize): bool {
  for (let axis: u32 = 0; axis < orderOf(query); axis++) if (fineOf(query, axis)) return true;
  return false;
}

@inline
function codes(query: usize, columns: usize, axis: u32): usize {
  return load<u32>(columns + (<usize>columnOf(query, axis) << 2));
}

@inline
function increment(cells: usize, index: u32): void {
  const cell = cells + (<usize>index << 2);
  store<i32>(cell, load<i32>(cell) + 1);
}

@inline
function incrementFour(cells: usize, index: v128): void {
  increment(cells, i32x4.extract_lane(index, 0));
  increment(cells, i32x4.extract_lane(index, 1));
  increment(cells, i32x4.extract_lane(index, 2));
  increment(cells, i32x4.extract_lane(index, 3));
}

function count1(a: usize, rows: u32, cells: usize): void {
  for (const end = a + (<usize>rows << 1); a < end; a += 2) increment(cells, load<u16>(a));
}

function count2(a: usize, b: usize, sizeB: u32, rows: u32, cells: usize): void {
  const end = a + (<usize>rows << 1);
  if (ASC_FEATURE_SIMD) {
    const stride = i16x8.splat(<i16>sizeB);
    for (const whole = a + ((<usize>rows & ~7) << 1); a < whole; a += 16, b += 16) {
      const x = v128.load(a);
      const y = v128.load(b);
      incrementFour(cells, i32x4.add(i32x4.extmul_low_i16x8_u(x, stride), i32x4.extend_low_i16x8_u(y)));
      incrementFour(cells, i32x4.add(i32x4.extmul_high_i16x8_u(x, stride), i32x4.extend_high_i16x8_u(y)));
    }
  }
  for (; a < end; a += 2, b += 2) increment(cells, load<u16>(a) * sizeB + load<u16>(b));
}

function count3(a: usize, b: usize, c: usize, sizeB: u32, sizeC: u32, rows: u32, cells: usize): void {
  const end = a + (<usize>rows << 1);
  if (ASC_FEATURE_SIMD) {
    const strideA = i32x4.splat(sizeB * sizeC);
    const strideB = i32x4.splat(sizeC);
    for (const whole = a + ((<usize>rows & ~3) << 1); a < whole; a += 8, b += 8, c += 8) {
      const x = i32x4.mul(v128.load16x4_u(a), strideA);
      const y = i32x4.mul(v128.load16x4_u(b), strideB);
      incrementFour(cells, i32x4.add(i32x4.add(x, y), v128.load16x4_u(c)));
    }
  }
  for (; a < end; a += 2, b += 2, c += 2)
    increment(cells, (load<u16>(a) * sizeB + load<u16>(b)) * sizeC + load<u16>(c));
}

function countAny(query: usize, columns: usize, rows: u32, cells: usize): void {
  const order = orderOf(query);
  for (let axis: u32 = 0; axis < order; axis++)
    store<u64>(FACTORS + (<usize>axis << 3), cellFactor(fineOf(query, axis)));
  for (let row: usize = 0; row < rows; row++) {
    let index: u32 = 0;
    for (let axis: u32 = 0; axis < order; axis++) {
      const code = load<u16>(codes(query, columns, axis) + (row << 1));
      index = index * sizeOf(query, axis) + cellAt(code, load<u64>(FACTORS + (<usize>axis << 3)));
    }
    increment(cells, index);
  }
}
