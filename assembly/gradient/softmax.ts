// Softmax over blocks of lines, for each row on its own.
import { exponential32, exponentialLanes } from "../lanes";

/**
 * Each row's numbers in each block become e^x / Σ e^x. Lines outside the blocks are left alone.
 * @param x f32[lines][rows]
 * @param blocks u32[count + 1]: block b has the lines from `blocks[b]` to below `blocks[b + 1]`
 * @param out f32[lines][rows]; may be `x`
 */
export function softmax(x: usize, blocks: usize, count: u32, rows: u32, out: usize): void {
  const line = <usize>rows << 2;
  for (const last = blocks + (<usize>count << 2); blocks < last; blocks += 4) {
    const from = load<u32>(blocks) * line,
      end = load<u32>(blocks, 4) * line;
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      for (; row + 16 <= line; row += 16) {
        const first = from + row;
        let most = f32x4.splat(-Infinity);
        for (let at = first; at < end; at += line) most = f32x4.pmax(most, v128.load(x + at));
        let sum = f32x4.splat(0);
        for (let at = first; at < end; at += line) {
          const power = exponentialLanes(f32x4.sub(v128.load(x + at), most));
          v128.store(out + at, power);
          sum = f32x4.add(sum, power);
        }
        const factor = f32x4.div(f32x4.splat(1), sum);
        for (let at = first; at < end; at += line) v128.store(out + at, f32x4.mul(v128.load(out + at), factor));
      }
    }
    for (; row < line; row += 4) {
      const first = from + row;
      let most: f32 = -Infinity;
      for (let at = first; at < end; at += line) {
        const number = load<f32>(x + at);
        if (most < number) most = number;
      }
      let sum: f32 = 0;
      for (let at = first; at < end; at += line) {
        const power = exponential32(load<f32>(x + at) - most);
        store<f32>(out + at, power);
        sum += power;
      }
      const factor = <f32>1 / sum;
      for (let at = first; at < end; at += line) store<f32>(out + at, load<f32>(out + at) * factor);
    }
  }
}

/**
 * Adds to the slopes at the numbers that softmax was given: p·(slope − Σ p·slope).
 * @param p f32[lines][rows], what softmax returned
 * @param slope f32[lines][rows], the slopes at `p`
 */
export function softmaxGradient(p: usize, slope: usize, blocks: usize, count: u32, rows: u32, into: usize): void {
  const line = <usize>rows << 2;
  for (const last = blocks + (<usize>count << 2); blocks < last; blocks += 4) {
    const from = load<u32>(blocks) * line,
      end = load<u32>(blocks, 4) * line;
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      for (; row + 16 <= line; row += 16) {
        const first = from + row;
        let mean = f32x4.splat(0);
        for (let at = first; at < end; at += line)
          mean = f32x4.add(mean, f32x4.mul(v128.load(p + at), v128.load(slope + at)));
        for (let at = first; at < end; at += line) {
          const share = f32x4.mul(v128.load(p + at), f32x4.sub(v128.load(slope + at), mean));
          v128.store(into + at, f32x4.add(v128.load(into + at), share));
        }
      }
    }
    for (; row < line; row += 4) {
      const first = from + row;
      let mean: f32 = 0;
      for (let at = first; at < end; at += line) mean += load<f32>(p + at) * load<f32>(slope + at);
      for (let at = first; at < end; at += line)
        store<f32>(into + at, load<f32>(into + at) + load<f32>(p + at) * (load<f32>(slope + at) - mean));
    }
  }
}
