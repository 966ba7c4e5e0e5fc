/** Stein's unbiased estimate of the squared error of soft-thresholding at `threshold`. */
export function softRisk(cells: readonly number[], threshold: number, sigma: number): number {
  return cells.reduce((risk, cell) => {
    const kept = Math.abs(cell) > threshold;
    return risk + sigma ** 2 - (kept ? 0 : 2 * sigma ** 2) + Math.min(cell ** 2, threshold ** 2);
  }, 0);
}

/** Cells moved towards 0 by the threshold with the least estimated risk among 41, or by infinity. */
export function softened(cells: readonly number[], sigma: number): number[] {
  const last = sigma * Math.sqrt(2 * Math.LN2 * Math.max(1, Math.ceil(Math.log2(cells.length))));
  const thresholds = Array.from({ length: 41 }, (_, index) => (last * index) / 40);
  let best = Number.POSITIVE_INFINITY;
  let least = softRisk(cells, best, sigma);
  for (const threshold of thresholds) {
    const risk = softRisk(cells, threshold, sigma);
    if (risk < least) [least, best] = [risk, threshold];
  }
  return cells.map((cell) => Math.sign(cell) * Math.max(0, Math.abs(cell) - best));
}
