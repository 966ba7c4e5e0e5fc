// Adam (Kingma and Ba, ICLR 2015, Algorithm 1).

/** base^exponent, by squaring: the same bits on every host. */
function power(base: f64, exponent: u32): f64 {
  let result: f64 = 1;
  for (; exponent; exponent >>= 1, base *= base) if (exponent & 1) result *= base;
  return result;
}

/**
 * Moves parameters down the slope, and updates the means that Adam keeps.
 * @param parameters, slope, first, second f32[count]
 * @param step the number of the step, 1 or more
 */
export function adam(
  parameters: usize,
  slope: usize,
  first: usize,
  second: usize,
  count: u32,
  step: u32,
  rate: f64,
  beta1: f64,
  beta2: f64,
  epsilon: f64,
): void {
  const keep1 = <f32>beta1,
    add1 = <f32>(1 - beta1),
    keep2 = <f32>beta2,
    add2 = <f32>(1 - beta2),
    most = <f32>(rate / (1 - power(beta1, step))),
    correction = <f32>(1 / (1 - power(beta2, step))),
    least = <f32>epsilon;
  const end = <usize>count << 2;
  let at: usize = 0;
  if (ASC_FEATURE_SIMD) {
    for (; at + 16 <= end; at += 16) {
      const g = v128.load(slope + at);
      const m = f32x4.add(f32x4.mul(f32x4.splat(keep1), v128.load(first + at)), f32x4.mul(f32x4.splat(add1), g));
      const square = f32x4.mul(f32x4.mul(f32x4.splat(add2), g), g);
      const v = f32x4.add(f32x4.mul(f32x4.splat(keep2), v128.load(second + at)), square);
      v128.store(first + at, m);
      v128.store(second + at, v);
      const root = f32x4.add(f32x4.sqrt(f32x4.mul(f32x4.splat(correction), v)), f32x4.splat(least));
      const change = f32x4.div(f32x4.mul(f32x4.splat(most), m), root);
      v128.store(parameters + at, f32x4.sub(v128.load(parameters + at), change));
    }
  }
  for (; at < end; at += 4) {
    const g = load<f32>(slope + at);
    const m = keep1 * load<f32>(first + at) + add1 * g;
    const v = keep2 * load<f32>(second + at) + add2 * g * g;
    store<f32>(first + at, m);
    store<f32>(second + at, v);
    const change = (most * m) / (sqrt(correction * v) + least);
    store<f32>(parameters + at, load<f32>(parameters + at) - change);
  }
}
