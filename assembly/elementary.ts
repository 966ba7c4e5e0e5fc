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

/** The nearest integer; halves are rounded up. */
// @ts-ignore: decorator
@inline
export function rounded(value: f64): f64 {
  const whole = floor<f64>(value);
  return value - whole >= 0.5 ? whole + 1 : whole;
}
