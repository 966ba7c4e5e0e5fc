// Sigmoids of how far sums are below thresholds, line by line. Exponents of e are never positive, so large scales give
// 0 and 1.
import { exponential32, exponentialLanes } from "../lanes";

/**
 * From here on, sigmoids are 0 or 1: the next to 1 is rounded to it, and the other is no farther from 0. Steep ones are
 * so almost everywhere, which saves most powers of e.
 */
const FAR: f32 = 18;

/**
 * Writes 1 / (1 + e^−z), where z = scale·(threshold − sum).
 * @param sums f32[count][rows], 1 row or more
 * @param thresholds f32[count]
 * @param out f32[count][rows]; may be `sums`
 */
export function sigmoid(sums: usize, rows: u32, count: u32, thresholds: usize, scale: f64, out: usize): void {
  const line = <usize>rows << 2;
  const steep = <f32>scale;
  for (const last = thresholds + (<usize>count << 2); thresholds < last; thresholds += 4, sums += line, out += line) {
    const threshold = load<f32>(thresholds);
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      const one = f32x4.splat(1);
      for (; row + 16 <= line; row += 16) {
        const z = f32x4.mul(f32x4.splat(steep), f32x4.sub(f32x4.splat(threshold), v128.load(sums + row)));
        const size = f32x4.abs(z);
        const isNear = f32x4.lt(size, f32x4.splat(FAR));
        const isBelow = f32x4.ge(z, f32x4.splat(0));
        let share = v128.and(one, isBelow);
        if (v128.any_true(isNear)) {
          const power = v128.and(exponentialLanes(f32x4.neg(size)), isNear);
          share = f32x4.div(v128.bitselect(one, power, isBelow), f32x4.add(one, power));
        }
        v128.store(out + row, share);
      }
    }
    for (; row < line; row += 4) {
      const z = steep * (threshold - load<f32>(sums + row));
      const power: f32 = abs(z) < FAR ? exponential32(-abs(z)) : 0;
      store<f32>(out + row, (z >= 0 ? 1 : power) / (1 + power));
    }
  }
}

/**
 * Adds the slopes at the sums.
 * @param p f32[count], what `sigmoid` returned
 * @param slope f32[count], the slopes at `p`
 * @param into f32[count]
 */
export function sigmoidGradient(p: usize, slope: usize, count: u32, scale: f64, into: usize): void {
  const down = -(<f32>scale);
  const end = <usize>count << 2;
  let at: usize = 0;
  if (ASC_FEATURE_SIMD) {
    const one = f32x4.splat(1);
    for (; at + 16 <= end; at += 16) {
      const share = v128.load(p + at);
      const steepness = f32x4.mul(f32x4.mul(f32x4.splat(down), share), f32x4.sub(one, share));
      v128.store(into + at, f32x4.add(v128.load(into + at), f32x4.mul(steepness, v128.load(slope + at))));
    }
  }
  for (; at < end; at += 4) {
    const share = load<f32>(p + at);
    store<f32>(into + at, load<f32>(into + at) + down * share * (1 - share) * load<f32>(slope + at));
  }
}
