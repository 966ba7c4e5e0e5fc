/**
 * The point of { x ≥ 0, Σx = total } nearest to `values`: all values are lowered by one threshold, and negative ones
 * become 0.
 */
export function projectOnSimplex(values: Float64Array, total: number): Float64Array {
  const descending = values.slice().sort().reverse();
  let sum = 0;
  let threshold = 0;
  for (let kept = 1; kept <= descending.length; kept++) {
    sum += descending[kept - 1];
    const candidate = (sum - total) / kept;
    if (candidate >= descending[kept - 1]) break;
    threshold = candidate;
  }
  return values.map((value) => Math.max(0, value - threshold));
}
