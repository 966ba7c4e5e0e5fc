// Sparsemax over blocks of lines, for each row on its own: Euclidean projection on the simplex, exact for blocks of any
// size. The largest number is subtracted first, so only numbers from −1 to 0 matter, and large ones lose no digits.

/**
 * Each row's numbers in each block become the nearest point of the simplex, max(0, x − τ). Lines outside the blocks are
 * left alone. τ is found by leaving numbers out until those that are left are all above it (Michelot 1986): every turn
 * leaves out one at least.
 * @param x f32[lines][rows]
 * @param blocks u32[count + 1]: block b has the lines from `blocks[b]` to below `blocks[b + 1]`
 * @param out f32[lines][rows]; may be `x`
 */
export function sparsemax(x: usize, blocks: usize, count: u32, rows: u32, out: usize): void {
  const line = <usize>rows << 2;
  for (const last = blocks + (<usize>count << 2); blocks < last; blocks += 4) {
    const from = load<u32>(blocks) * line,
      end = load<u32>(blocks, 4) * line;
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      const zero = f32x4.splat(0),
        one = f32x4.splat(1);
      for (; row + 16 <= line; row += 16) {
        const first = from + row;
        let most = f32x4.splat(-Infinity);
        for (let at = first; at < end; at += line) most = f32x4.pmax(most, v128.load(x + at));
        let threshold = f32x4.splat(-1),
          kept = f32x4.splat(Infinity),
          fewer = zero;
        do {
          let sum = zero,
            above = zero;
          for (let at = first; at < end; at += line) {
            const number = f32x4.sub(v128.load(x + at), most),
              isAbove = f32x4.gt(number, threshold);
            sum = f32x4.add(sum, v128.and(number, isAbove));
            above = f32x4.add(above, v128.and(one, isAbove));
          }
          fewer = f32x4.lt(above, kept);
          kept = v128.bitselect(above, kept, fewer);
          threshold = v128.bitselect(f32x4.div(f32x4.sub(sum, one), above), threshold, fewer);
        } while (v128.any_true(fewer));
        for (let at = first; at < end; at += line) {
          const rest = f32x4.sub(f32x4.sub(v128.load(x + at), most), threshold);
          v128.store(out + at, f32x4.pmax(zero, rest));
        }
      }
    }
    for (; row < line; row += 4) {
      const first = from + row;
      let most: f32 = -Infinity;
      for (let at = first; at < end; at += line) {
        const number = load<f32>(x + at);
        if (most < number) most = number;
      }
      let threshold: f32 = -1,
        above: f32 = 0;
      for (let kept: f32 = Infinity; ; kept = above) {
        let sum: f32 = 0;
        above = 0;
        for (let at = first; at < end; at += line) {
          const number = load<f32>(x + at) - most;
          if (number > threshold) {
            sum += number;
            above++;
          }
        }
        if (above >= kept) break;
        threshold = (sum - 1) / above;
      }
      for (let at = first; at < end; at += line) {
        const rest = load<f32>(x + at) - most - threshold;
        store<f32>(out + at, rest > 0 ? rest : 0);
      }
    }
  }
}

/**
 * Adds to the slopes at the numbers that sparsemax was given: where p > 0, the slope minus the mean of those there.
 * @param p f32[lines][rows], what sparsemax returned
 * @param slope f32[lines][rows], the slopes at `p`
 */
export function sparsemaxGradient(p: usize, slope: usize, blocks: usize, count: u32, rows: u32, into: usize): void {
  const line = <usize>rows << 2;
  for (const last = blocks + (<usize>count << 2); blocks < last; blocks += 4) {
    const from = load<u32>(blocks) * line,
      end = load<u32>(blocks, 4) * line;
    let row: usize = 0;
    if (ASC_FEATURE_SIMD) {
      const zero = f32x4.splat(0),
        one = f32x4.splat(1);
      for (; row + 16 <= line; row += 16) {
        const first = from + row;
        let sum = zero,
          kept = zero;
        for (let at = first; at < end; at += line) {
          const isKept = f32x4.gt(v128.load(p + at), zero);
          sum = f32x4.add(sum, v128.and(v128.load(slope + at), isKept));
          kept = f32x4.add(kept, v128.and(one, isKept));
        }
        const mean = f32x4.div(sum, kept);
        for (let at = first; at < end; at += line) {
          const isKept = f32x4.gt(v128.load(p + at), zero);
          const share = v128.and(f32x4.sub(v128.load(slope + at), mean), isKept);
          v128.store(into + at, f32x4.add(v128.load(into + at), share));
        }
      }
    }
    for (; row < line; row += 4) {
      const first = from + row;
      let sum: f32 = 0,
        kept: f32 = 0;
      for (let at = first; at < end; at += line)
        if (load<f32>(p + at) > 0) {
          sum += load<f32>(slope + at);
          kept++;
        }
      const mean = sum / kept;
      for (let at = first; at < end; at += line) {
        const share: f32 = load<f32>(p + at) > 0 ? load<f32>(slope + at) - mean : 0;
        store<f32>(into + at, load<f32>(into + at) + share);
      }
    }
  }
}
