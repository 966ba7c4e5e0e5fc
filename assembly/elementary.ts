// Functions whose last bits differ between hosts, computed from operations that every host rounds alike, so any
// decision based on them is the same everywhere.

/** How often an exponent is halved before its series is summed, and the number of terms of the series. */
const HALVINGS: i32 = 10;
const TERMS: i32 = 8;

/** ∛x, by Newton's method from above: the iterates fall until rounding stops them. @param x 1 or more */
export function cubeRoot(x: f64): f64 {
  let root = x;
  let next = closer(root, x);
  while (next < root) {
    root = next;
    next = closer(root, x);
  }
  return root;
}

/** A step of Newton's method towards ∛x. */
function closer(root: f64, x: f64): f64 {
  return (2 * root + x / (root * root)) / 3;
}

/** e^x: the series of a small fraction of x, then squared repeatedly. @param x −700 … 700 */
export function exponential(x: f64): f64 {
  const small = x / <f64>(1 << HALVINGS);
  let power: f64 = 1;
  for (let term = TERMS; term > 0; term--) power = 1 + (small * power) / <f64>term;
  for (let squared = 0; squared < HALVINGS; squared++) power *= power;
  return power;
}

/** The series of a logarithm is summed for numbers from 1/√2 to √2. */
const ROOT_2: f64 = 1.4142135623730951;
const LN_2: f64 = 0.6931471805599453;
/** 1/(2t + 1) for its terms, from the last one on. */
const LN_SERIES: StaticArray<f64> = [
  1 / 21.0,
  1 / 19.0,
  1 / 17.0,
  1 / 15.0,
  1 / 13.0,
  1 / 11.0,
  1 / 9.0,
  1 / 7.0,
  1 / 5.0,
  1 / 3.0,
  1,
];

/** ln x: that of its power of two, and the series of what is left, 2·artanh((m − 1)/(m + 1)). @param x above 10^−300 */
export function logarithm(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let power = <i32>(bits >> 52) - 1023;
  let rest = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (rest > ROOT_2) {
    rest *= 0.5;
    power++;
  }
  const z = (rest - 1) / (rest + 1);
  const square = z * z;
  let series: f64 = 0;
  for (let term = 0; term < LN_SERIES.length; term++) series = series * square + unchecked(LN_SERIES[term]);
  return <f64>power * LN_2 + 2 * z * series;
}

/** The nearest integer; halves are rounded up. */
// @ts-ignore: decorator
@inline
export function rounded(value: f64): f64 {
  const whole = floor<f64>(value);
  return value - whole >= 0.5 ? whole + 1 : whole;
}
