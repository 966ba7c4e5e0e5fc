// Queries of relaxed rows that ask whether a sum is at most a threshold, as sigmoids of how far below it is. Exponents
// of e are never positive, so large scales give 0 and 1.
import { exponential32, exponentialLanes, sumOfLanes } from "../lanes";

/** 1 / (1 + e^−z). */
@inline
function sigmoid(z: f32): f32 {
  const power = exponential32(-abs(z));
  return (z >= 0 ? 1 : power) / (1 + power);
}

@inline
function sigmoidLanes(z: v128): v128 {
  const one = f32x4.splat(1);
  const power = exponentialLanes(f32x4.neg(f32x4.abs(z)));
  return f32x4.div(v128.bitselect(one, power, f32x4.ge(z, f32x4.splat(0))), f32x4.add(one, power));
}

/**
 * Writes the answers: the mean over the rows of the sigmoid of scale·(threshold − sum), times the number of a line of
 * `x` if there are labels.
 * @param sums f32[count][rows], 1 row or more
 * @param thresholds f32[count]
 * @param labels u32[count], lines of x f32[lines][rows]; or 0
 * @param answers f32[count]
 */
export function sigmoidQueries(
  sums: usize,
  rows: u32,
  count: u32,
  thresholds: usize,
  scale: f64,
  labels: usize,
  x: usize,
  answers: usize,
): void {
  const line = <usize>rows << 2;
  const steep = <f32>scale;
  for (let at: usize = 0; at < <usize>count << 2; at += 4, sums += line) {
    const threshold = load<f32>(thresholds + at);
    const label = labels ? x + load<u32>(labels + at) * line : 0;
    let row: usize = 0,
      sum: f32 = 0;
    if (ASC_FEATURE_SIMD) {
      let total = f32x4.splat(0);
      for (; row + 16 <= line; row += 16) {
        const left = f32x4.sub(f32x4.splat(threshold), v128.load(sums + row));
        let share = sigmoidLanes(f32x4.mul(f32x4.splat(steep), left));
        if (label) share = f32x4.mul(share, v128.load(label + row));
        total = f32x4.add(total, share);
      }
      sum = sumOfLanes(total);
    } else {
      let a: f32 = 0,
        b: f32 = 0,
        c: f32 = 0,
        d: f32 = 0;
      for (; row + 16 <= line; row += 16) {
        a += shareOf(sums + row, threshold, steep, label ? label + row : 0);
        b += shareOf(sums + row + 4, threshold, steep, label ? label + row + 4 : 0);
        c += shareOf(sums + row + 8, threshold, steep, label ? label + row + 8 : 0);
        d += shareOf(sums + row + 12, threshold, steep, label ? label + row + 12 : 0);
      }
      sum = a + c + (b + d);
    }
    for (; row < line; row += 4) sum += shareOf(sums + row, threshold, steep, label ? label + row : 0);
    store<f32>(answers + at, sum / <f32>rows);
  }
}

/** What a row adds to an answer. */
function shareOf(sum: usize, threshold: f32, scale: f32, label: usize): f32 {
  const share = sigmoid(scale * (threshold - load<f32>(sum)));
  return label ? share * load<f32>(label) : share;
}

/**
 * Adds to the slopes at the sums, and at the labels' numbers, query after query.
 * @param sums f32[count][rows], 1 row or more
 * @param thresholds f32[count]
 * @param labels u32[count], lines of x f32[lines][rows]; or 0
 * @param slope f32[count], the slopes at the answers
 * @param intoSums f32[count][rows]
 * @param intoX f32[lines][rows], if there are labels
 */
export function sigmoidQueriesGradient(
  sums: usize,
  rows: u32,
  count: u32,
  thresholds: usize,
  scale: f64,
  labels: usize,
  x: usize,
  slope: usize,
  intoSums: usize,
  intoX: usize,
): void {
  const line = <usize>rows << 2;
  const steep = <f32>scale;
  for (let at: usize = 0; at < <usize>count << 2; at += 4, sums += line, intoSums += line) {
    const threshold = load<f32>(thresholds + at);
    const place = labels ? load<u32>(labels + at) * line : 0;
    const factor = load<f32>(slope + at) / <f32>rows;
    const down = -factor * steep;
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      const one = f32x4.splat(1);
      for (; row + 16 <= line; row += 16) {
        const z = f32x4.mul(f32x4.splat(steep), f32x4.sub(f32x4.splat(threshold), v128.load(sums + row)));
        const power = exponentialLanes(f32x4.neg(f32x4.abs(z)));
        const part = f32x4.div(one, f32x4.add(one, power));
        let change = f32x4.mul(f32x4.splat(down), f32x4.mul(f32x4.mul(power, part), part));
        if (labels) {
          change = f32x4.mul(change, v128.load(x + place + row));
          const share = f32x4.mul(part, v128.bitselect(one, power, f32x4.ge(z, f32x4.splat(0))));
          const to = intoX + place + row;
          v128.store(to, f32x4.add(v128.load(to), f32x4.mul(f32x4.splat(factor), share)));
        }
        v128.store(intoSums + row, f32x4.add(v128.load(intoSums + row), change));
      }
    }
    for (; row < line; row += 4) {
      const z = steep * (threshold - load<f32>(sums + row));
      const power = exponential32(-abs(z));
      const part = <f32>1 / (1 + power);
      let change = down * (power * part * part);
      if (labels) {
        change *= load<f32>(x + place + row);
        const to = intoX + place + row;
        store<f32>(to, load<f32>(to) + factor * (part * (z >= 0 ? 1 : power)));
      }
      store<f32>(intoSums + row, load<f32>(intoSums + row) + change);
    }
  }
}
