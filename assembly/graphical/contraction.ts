// Sums of products of tables, f64 each: all that message passing on a junction tree consists of.
import {
  CONTRACTION_AXES,
  CONTRACTION_FACTORS,
  CONTRACTION_INDEX,
  CONTRACTION_RUN,
  CONTRACTION_SIZES,
  CONTRACTION_SUMS,
  CONTRACTION_TABLE,
  OPERAND_AT,
  OPERAND_CELLS,
  OPERAND_STRIDES,
  OPERAND_TABLE,
} from "../graphical-layout";

/** No kept product is smaller: a cell of 0 could never become larger again, and separators are divided by. */
const LEAST: f64 = 1e-250;

/**
 * For each cell of an index space, the product of the factors: kept, if there is a table for it, and added to each of
 * the sums, which start at 0. The cells along the last axis are computed together.
 * @param contraction a CONTRACTION whose factors and sums do not overlap; its table may be a factor
 */
export function contract(contraction: usize): void {
  const axes = load<u32>(contraction, CONTRACTION_AXES);
  const size = OPERAND_STRIDES + (<usize>axes << 2);
  const factors = contraction + CONTRACTION_SIZES + (<usize>axes << 2);
  const sums = factors + load<u32>(contraction, CONTRACTION_FACTORS) * size;
  const end = sums + load<u32>(contraction, CONTRACTION_SUMS) * size;
  const outer = axes - 1;
  const length = load<u32>(contraction + (<usize>outer << 2), CONTRACTION_SIZES);
  for (let operand = factors; operand < end; operand += size) {
    const table = load<usize>(operand, OPERAND_TABLE);
    store<usize>(operand, table, OPERAND_AT);
    if (operand >= sums) memory.fill(table, 0, (<usize>load<u32>(operand, OPERAND_CELLS)) << 3);
  }
  const index = load<usize>(contraction, CONTRACTION_INDEX);
  memory.fill(index, 0, <usize>axes << 2);
  const table = load<usize>(contraction, CONTRACTION_TABLE);
  let run = table ? table : load<usize>(contraction, CONTRACTION_RUN);
  do {
    multiplyRun(factors, sums, size, outer, run, length);
    if (table) raiseRun(run, length);
    if (sums < end) addRun(sums, end, size, outer, run, length);
    if (table) run += <usize>length << 3;
  } while (nextRun(contraction, factors, end, size, index, outer));
}

/** Moves all operands to the next run. Returns whether there is one. */
function nextRun(contraction: usize, factors: usize, end: usize, size: usize, index: usize, outer: u32): bool {
  for (let axis = outer; axis-- > 0; ) {
    const at = <usize>axis << 2;
    const next = load<u32>(index + at) + 1;
    const isBack = next == load<u32>(contraction + at, CONTRACTION_SIZES);
    store<u32>(index + at, isBack ? 0 : next);
    for (let operand = factors; operand < end; operand += size) {
      const stride = (<usize>load<u32>(operand + at, OPERAND_STRIDES)) << 3;
      const place = load<usize>(operand, OPERAND_AT) + stride;
      store<usize>(operand, isBack ? place - next * stride : place, OPERAND_AT);
    }
    if (!isBack) return true;
  }
  return false;
}

/** The products of the factors from one to another, along the last axis. */
function multiplyRun(from: usize, to: usize, size: usize, last: u32, out: usize, length: u32): void {
  const strides = OPERAND_STRIDES + (<usize>last << 2);
  let constant: f64 = 1;
  for (let factor = from; factor < to; factor += size)
    if (!load<u32>(factor + strides)) constant *= load<f64>(load<usize>(factor, OPERAND_AT));
  let isFirst = true;
  for (let factor = from; factor < to; factor += size) {
    const stride = load<u32>(factor + strides);
    if (!stride) continue;
    const values = load<usize>(factor, OPERAND_AT);
    if (isFirst) scaledRun(values, stride, constant, out, length);
    else timesRun(values, stride, out, length);
    isFirst = false;
  }
  if (isFirst) for (const end = out + (<usize>length << 3); out < end; out += 8) store<f64>(out, constant);
}

function scaledRun(values: usize, stride: u32, constant: f64, out: usize, length: u32): void {
  const end = out + (<usize>length << 3);
  if (ASC_FEATURE_SIMD)
    if (stride == 1) {
      const constants = f64x2.splat(constant);
      for (const pairs = end - 8; out < pairs; out += 16, values += 16)
        v128.store(out, f64x2.mul(v128.load(values), constants));
    }
  for (; out < end; out += 8, values += <usize>stride << 3) store<f64>(out, load<f64>(values) * constant);
}

function timesRun(values: usize, stride: u32, out: usize, length: u32): void {
  const end = out + (<usize>length << 3);
  if (ASC_FEATURE_SIMD)
    if (stride == 1)
      for (const pairs = end - 8; out < pairs; out += 16, values += 16)
        v128.store(out, f64x2.mul(v128.load(out), v128.load(values)));
  for (; out < end; out += 8, values += <usize>stride << 3) store<f64>(out, load<f64>(out) * load<f64>(values));
}

function raiseRun(run: usize, length: u32): void {
  const end = run + (<usize>length << 3);
  if (ASC_FEATURE_SIMD) {
    const least = f64x2.splat(LEAST);
    for (const pairs = end - 8; run < pairs; run += 16) v128.store(run, f64x2.pmax(least, v128.load(run)));
  }
  for (; run < end; run += 8) {
    const value = load<f64>(run);
    store<f64>(run, LEAST < value ? value : LEAST);
  }
}

/** Adds a run to all sums. */
function addRun(from: usize, to: usize, size: usize, last: u32, run: usize, length: u32): void {
  const strides = OPERAND_STRIDES + (<usize>last << 2);
  let sum: f64 = 0;
  let isKnown = false;
  for (let operand = from; operand < to; operand += size) {
    const stride = load<u32>(operand + strides);
    const into = load<usize>(operand, OPERAND_AT);
    if (stride) {
      plusRun(run, into, stride, length);
      continue;
    }
    if (!isKnown) sum = sumOfRun(run, length);
    isKnown = true;
    store<f64>(into, load<f64>(into) + sum);
  }
}

function plusRun(run: usize, into: usize, stride: u32, length: u32): void {
  const end = run + (<usize>length << 3);
  if (ASC_FEATURE_SIMD)
    if (stride == 1)
      for (const pairs = end - 8; run < pairs; run += 16, into += 16)
        v128.store(into, f64x2.add(v128.load(into), v128.load(run)));
  for (; run < end; run += 8, into += <usize>stride << 3) store<f64>(into, load<f64>(into) + load<f64>(run));
}

/** One sum for even positions and one for odd positions, added at the end. */
function sumOfRun(run: usize, length: u32): f64 {
  const end = run + (<usize>length << 3);
  let even: f64 = 0,
    odd: f64 = 0;
  if (ASC_FEATURE_SIMD) {
    let sums = f64x2.splat(0);
    for (const pairs = end - 8; run < pairs; run += 16) sums = f64x2.add(sums, v128.load(run));
    even = f64x2.extract_lane(sums, 0);
    odd = f64x2.extract_lane(sums, 1);
  } else
    for (const pairs = end - 8; run < pairs; run += 16) {
      even += load<f64>(run);
      odd += load<f64>(run, 8);
    }
  if (run < end) even += load<f64>(run);
  return even + odd;
}
