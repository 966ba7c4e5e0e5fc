// Batch normalisation (Ioffe and Szegedy, ICML 2015, Algorithm 1), line by line.
import { sumOfLanes } from "../lanes";

/** Σ x. @param bytes those of x */
function sumOf(x: usize, bytes: usize): f32 {
  let at: usize = 0,
    sum: f32 = 0;
  if (ASC_FEATURE_SIMD) {
    let sums = f32x4.splat(0);
    for (; at + 16 <= bytes; at += 16) sums = f32x4.add(sums, v128.load(x + at));
    sum = sumOfLanes(sums);
  } else {
    let a: f32 = 0,
      b: f32 = 0,
      c: f32 = 0,
      d: f32 = 0;
    for (; at + 16 <= bytes; at += 16) {
      a += load<f32>(x + at);
      b += load<f32>(x + at, 4);
      c += load<f32>(x + at, 8);
      d += load<f32>(x + at, 12);
    }
    sum = a + c + (b + d);
  }
  for (; at < bytes; at += 4) sum += load<f32>(x + at);
  return sum;
}

/** Σ (x − mean)·(y − other). @param bytes those of x */
function productOf(x: usize, mean: f32, y: usize, other: f32, bytes: usize): f32 {
  let at: usize = 0,
    sum: f32 = 0;
  if (ASC_FEATURE_SIMD) {
    let sums = f32x4.splat(0);
    for (; at + 16 <= bytes; at += 16) {
      const left = f32x4.sub(v128.load(x + at), f32x4.splat(mean));
      sums = f32x4.add(sums, f32x4.mul(left, f32x4.sub(v128.load(y + at), f32x4.splat(other))));
    }
    sum = sumOfLanes(sums);
  } else {
    let a: f32 = 0,
      b: f32 = 0,
      c: f32 = 0,
      d: f32 = 0;
    for (; at + 16 <= bytes; at += 16) {
      a += (load<f32>(x + at) - mean) * (load<f32>(y + at) - other);
      b += (load<f32>(x + at, 4) - mean) * (load<f32>(y + at, 4) - other);
      c += (load<f32>(x + at, 8) - mean) * (load<f32>(y + at, 8) - other);
      d += (load<f32>(x + at, 12) - mean) * (load<f32>(y + at, 12) - other);
    }
    sum = a + c + (b + d);
  }
  for (; at < bytes; at += 4) sum += (load<f32>(x + at) - mean) * (load<f32>(y + at) - other);
  return sum;
}

/**
 * Gives each line mean 0 and variance 1, times its gain, plus its bias.
 * @param x f32[lines][rows], 1 row or more
 * @param gain, bias f32[lines]
 * @param epsilon added to the variance
 * @param out f32[lines][rows]
 * @param statistics f32[lines][2]: the mean of `x`, and 1 / √(variance + epsilon)
 */
export function batchNorm(
  x: usize,
  rows: u32,
  lines: u32,
  gain: usize,
  bias: usize,
  epsilon: f64,
  out: usize,
  statistics: usize,
): void {
  const bytes = <usize>rows << 2;
  for (const last = gain + (<usize>lines << 2); gain < last; gain += 4, bias += 4, statistics += 8) {
    const mean = sumOf(x, bytes) / <f32>rows;
    const variance = productOf(x, mean, x, mean, bytes) / <f32>rows;
    const rate: f32 = <f32>1 / sqrt<f32>(variance + <f32>epsilon);
    store<f32>(statistics, mean);
    store<f32>(statistics, rate, 4);
    const scale = load<f32>(gain) * rate;
    const shift = load<f32>(bias);
    let at: usize = 0;
    if (ASC_FEATURE_SIMD) {
      for (; at + 16 <= bytes; at += 16) {
        const scaled = f32x4.mul(f32x4.sub(v128.load(x + at), f32x4.splat(mean)), f32x4.splat(scale));
        v128.store(out + at, f32x4.add(scaled, f32x4.splat(shift)));
      }
    }
    for (; at < bytes; at += 4) store<f32>(out + at, (load<f32>(x + at) - mean) * scale + shift);
    x += bytes;
    out += bytes;
  }
}

/**
 * Adds to the slopes at the numbers, the gains and the biases.
 * @param x f32[lines][rows], what `batchNorm` was given
 * @param gain f32[lines]
 * @param statistics f32[lines][2], what it returned
 * @param slope f32[lines][rows], the slopes at its `out`
 * @param into f32[lines][rows]
 * @param intoGain, intoBias f32[lines]
 */
export function batchNormGradient(
  x: usize,
  rows: u32,
  lines: u32,
  gain: usize,
  statistics: usize,
  slope: usize,
  into: usize,
  intoGain: usize,
  intoBias: usize,
): void {
  const bytes = <usize>rows << 2;
  for (const last = gain + (<usize>lines << 2); gain < last; gain += 4, statistics += 8) {
    const mean = load<f32>(statistics);
    const rate = load<f32>(statistics, 4);
    const sum = sumOf(slope, bytes);
    const along = productOf(x, mean, slope, 0, bytes) * rate;
    store<f32>(intoGain, load<f32>(intoGain) + along);
    store<f32>(intoBias, load<f32>(intoBias) + sum);
    const scale = load<f32>(gain) * rate;
    const level = sum / <f32>rows;
    const tilt = (along * rate) / <f32>rows;
    let at: usize = 0;
    if (ASC_FEATURE_SIMD) {
      for (; at + 16 <= bytes; at += 16) {
        const tilted = f32x4.mul(f32x4.sub(v128.load(x + at), f32x4.splat(mean)), f32x4.splat(tilt));
        const left = f32x4.sub(f32x4.sub(v128.load(slope + at), f32x4.splat(level)), tilted);
        v128.store(into + at, f32x4.add(v128.load(into + at), f32x4.mul(f32x4.splat(scale), left)));
      }
    }
    for (; at < bytes; at += 4) {
      const left = load<f32>(slope + at) - level - (load<f32>(x + at) - mean) * tilt;
      store<f32>(into + at, load<f32>(into + at) + scale * left);
    }
    x += bytes;
    slope += bytes;
    into += bytes;
    intoGain += 4;
    intoBias += 4;
  }
}
