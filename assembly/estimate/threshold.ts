// Soft thresholding: values below the threshold are taken for noise, all others are reduced by it.

const LN_2: f64 = 0.6931471805599453;

/** The number of thresholds to try, from 0 up. */
const THRESHOLDS: i32 = 41;
// f64[THRESHOLDS + 1] each: the number of cells between one threshold and the one before, and the sum of their squares.
const COUNTS = memory.data((THRESHOLDS + 1) << 3, 8);
const SQUARES = memory.data((THRESHOLDS + 1) << 3, 8);

/**
 * Moves `count` doubles towards 0 by the threshold with the smallest Stein's unbiased estimate of the squared error
 * (Donoho and Johnstone, "Adapting to unknown smoothness via wavelet shrinkage", 1995). All become 0 where that is
 * better still.
 * @param cells f64[count], each with independent Gaussian noise of standard deviation `sigma`
 */
export function soften(cells: usize, count: u32, sigma: f64): void {
  // The last threshold is √(2 ln m) in units of sigma, with m the number of cells rounded up to a power of two: about
  // the largest of that many cells of pure noise.
  const last = sigma * sqrt<f64>(2 * LN_2 * <f64>max(1, 32 - clz(count - 1)));
  const threshold = leastRisk(cells, count, sigma * sigma, last / <f64>(THRESHOLDS - 1));
  for (let at = cells, end = cells + (<usize>count << 3); at < end; at += 8) {
    const cell = load<f64>(at);
    store<f64>(at, copysign<f64>(max<f64>(abs<f64>(cell) - threshold, 0), cell));
  }
}

/** The multiple of `step` with the smallest m·σ² − 2σ²·#{|x| ≤ t} + Σ min(x², t²), or infinity. */
function leastRisk(cells: usize, count: u32, variance: f64, step: f64): f64 {
  memory.fill(COUNTS, 0, (THRESHOLDS + 1) << 3);
  memory.fill(SQUARES, 0, (THRESHOLDS + 1) << 3);
  let all: f64 = 0;
  for (let at = cells, end = cells + (<usize>count << 3); at < end; at += 8) {
    const cell = load<f64>(at);
    const bin = (<usize>min<f64>(ceil<f64>(abs<f64>(cell) / step), THRESHOLDS)) << 3;
    store<f64>(COUNTS + bin, load<f64>(COUNTS + bin) + 1);
    store<f64>(SQUARES + bin, load<f64>(SQUARES + bin) + cell * cell);
    all += cell * cell;
  }
  let least = all - <f64>count * variance;
  let best: f64 = Infinity;
  let below: f64 = 0;
  let squares: f64 = 0;
  for (let index = 0; index < THRESHOLDS; index++) {
    below += load<f64>(COUNTS + (<usize>index << 3));
    squares += load<f64>(SQUARES + (<usize>index << 3));
    const threshold = step * <f64>index;
    const risk = (<f64>count - 2 * below) * variance + squares + (<f64>count - below) * threshold * threshold;
    if (risk >= least) continue;
    least = risk;
    best = threshold;
  }
  return best;
}
