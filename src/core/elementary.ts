// Functions whose last bits differ between hosts, computed here from operations that every host rounds alike, so any
// decision based on them is the same everywhere.

/** ∛x, by Newton's method from above: the iterates fall until rounding stops them. @param x 1 or more */
export function cubeRoot(x: number): number {
  let root = x;
  for (;;) {
    const next = (2 * root + x / (root * root)) / 3;
    if (next >= root) return root;
    root = next;
  }
}

/** How often an exponent is halved before its series is summed, and the number of terms of the series. */
const HALVINGS = 10;
const TERMS = 8;

/** e^x: the series of a small fraction of x, then squared repeatedly. @param x −700 … 700 */
export function exponential(x: number): number {
  const small = x / 2 ** HALVINGS;
  let power = 1;
  for (let term = TERMS; term > 0; term--) power = 1 + (small * power) / term;
  for (let squared = 0; squared < HALVINGS; squared++) power *= power;
  return power;
}
