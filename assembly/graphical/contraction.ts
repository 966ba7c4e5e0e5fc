// Sums of products of tables, f64 each: all that message passing on a junction tree consists of.
import {
  CONTRACTION_AXES,
  CONTRACTION_FACTORS,
  CONTRACTION_OUT,
  CONTRACTION_RUNS,
  CONTRACTION_SIZES,
  CONTRACTION_SUMS,
  CONTRACTION_TABLE,
  OPERAND_AT,
  OPERAND_CELLS,
  OPERAND_DEPTH,
  OPERAND_STRIDES,
  OPERAND_TABLE,
} from "../graphical-layout";

/** No kept product is smaller: a cell of 0 could never become larger again, and separators are divided by. */
const LEAST: f64 = 1e-250;

/**
 * For each cell of an index space, the product of the factors: kept, if there is a table for it, and added to each of
 * the sums, which start at 0. The cells along the last axis, a run, are computed together.
 * @param contraction a CONTRACTION whose factors and sums do not overlap; its table may be a factor
 */
export function contract(contraction: usize): void {
  const size = operandBytes(contraction);
  const factors = factorsOf(contraction);
  const sums = factors + load<u32>(contraction, CONTRACTION_FACTORS) * size;
  const end = sums + load<u32>(contraction, CONTRACTION_SUMS) * size;
  for (let operand = factors; operand < end; operand += size) {
    const table = load<usize>(operand, OPERAND_TABLE);
    store<usize>(operand, table, OPERAND_AT);
    if (operand >= sums) memory.fill(table, 0, (<usize>load<u32>(operand, OPERAND_CELLS)) << 3);
  }
  store<usize>(contraction, load<usize>(contraction, CONTRACTION_TABLE), CONTRACTION_OUT);
  walk(contraction, 0, factors, sums, 0, 1);
}

/**
 * Walks along an axis and all axes after it. What does not change along later axes is multiplied before they are
 * walked, and what does not depend on them is added up afterwards.
 * @param factor the first factor that changes along this axis or later ones, if there is one
 * @param sum the same of the sums
 * @param product the run of the factors before, or 0 for ones
 * @param constant what it is multiplied by
 */
function walk(contraction: usize, axis: u32, factor: usize, sum: usize, product: usize, constant: f64): void {
  const last = load<u32>(contraction, CONTRACTION_AXES) - 1;
  const size = operandBytes(contraction);
  const sums = factorsOf(contraction) + load<u32>(contraction, CONTRACTION_FACTORS) * size;
  const end = sums + load<u32>(contraction, CONTRACTION_SUMS) * size;
  const length = load<u32>(contraction + (<usize>last << 2), CONTRACTION_SIZES);
  const bytes = <usize>length << 3;
  const deeperFactor = deeper(factor, sums, size, axis);
  const deeperSum = deeper(sum, end, size, axis);
  const isInnermost = axis + 1 == last;
  const own = load<usize>(contraction, CONTRACTION_RUNS) + <usize>axis * 2 * bytes;
  const count = load<u32>(contraction + (<usize>axis << 2), CONTRACTION_SIZES);
  for (let index: u32 = 0; ; ) {
    let scale = constant;
    let isConstant = true;
    for (let one = factor; one < deeperFactor; one += size)
      if (load<u32>(one + (<usize>last << 2), OPERAND_STRIDES)) isConstant = false;
      else scale *= load<f64>(load<usize>(one, OPERAND_AT));
    let total: usize;
    if (isInnermost) {
      const table = load<usize>(contraction, CONTRACTION_OUT);
      total = table ? table : own;
      multiplyRuns(factor, deeperFactor, size, last, product, scale, total, length);
      if (table) {
        raiseRun(total, length);
        store<usize>(contraction, table + bytes, CONTRACTION_OUT);
      }
    } else {
      if (!isConstant) multiplyRuns(factor, deeperFactor, size, last, product, 1, own, length);
      total = own + bytes;
      if (deeperSum > sums) memory.fill(total, 0, bytes);
      walk(contraction, axis + 1, deeperFactor, deeperSum, isConstant ? product : own, scale);
    }
    if (sum < deeperSum) addRun(sum, deeperSum, size, last, total, length);
    if (sum > sums) plusRun(total, own - bytes, 1, length);
    if (++index == count) break;
    move(factor, sums, size, axis, 1);
    move(sum, end, size, axis, 1);
  }
  move(factor, sums, size, axis, 1 - <i32>count);
  move(sum, end, size, axis, 1 - <i32>count);
}

// @ts-ignore: decorator
@inline
function operandBytes(contraction: usize): usize {
  return OPERAND_STRIDES + ((<usize>load<u32>(contraction, CONTRACTION_AXES)) << 2);
}

// @ts-ignore: decorator
@inline
function factorsOf(contraction: usize): usize {
  return contraction + CONTRACTION_SIZES + ((<usize>load<u32>(contraction, CONTRACTION_AXES)) << 2);
}

/** The first operand that changes along axes after this one. */
function deeper(operand: usize, end: usize, size: usize, axis: u32): usize {
  while (operand < end && load<u32>(operand, OPERAND_DEPTH) <= axis) operand += size;
  return operand;
}

/** Moves operands so many cells along an axis. */
function move(operand: usize, end: usize, size: usize, axis: u32, cells: i32): void {
  for (; operand < end; operand += size) {
    const stride = (<i32>load<u32>(operand + (<usize>axis << 2), OPERAND_STRIDES)) << 3;
    store<usize>(operand, load<usize>(operand, OPERAND_AT) + cells * stride, OPERAND_AT);
  }
}

/** A run's multiple times the runs of the factors from one to another, those of which that are no constants. */
function multiplyRuns(
  factor: usize,
  end: usize,
  size: usize,
  last: u32,
  product: usize,
  constant: f64,
  out: usize,
  length: u32,
): void {
  let isFirst = true;
  for (; factor < end; factor += size) {
    const stride = load<u32>(factor + (<usize>last << 2), OPERAND_STRIDES);
    if (!stride) continue;
    const values = load<usize>(factor, OPERAND_AT);
    if (isFirst) scaledRun(values, stride, constant, out, length);
    else timesRun(values, stride, out, length);
    isFirst = false;
  }
  if (product) {
    if (isFirst) scaledRun(product, 1, constant, out, length);
    else timesRun(product, 1, out, length);
  } else if (isFirst) for (const stop = out + (<usize>length << 3); out < stop; out += 8) store<f64>(out, constant);
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
