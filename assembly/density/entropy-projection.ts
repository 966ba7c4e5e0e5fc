// The projection of PEP (Liu, Vietri and Wu, "Iterative Methods for Private Synthetic Data", NeurIPS 2021): of all
// densities with the answers that were measured, the one closest in relative entropy. (Their appendix has signs of the
// dual wrong; the factors here are those of their Algorithm 4.)
import { addIterate, compareIterate, errorOf, measuredAt, project } from "./measured";
import { freshenAll } from "./weights";

/**
 * Corrects the answer about which a density is most wrong, again and again. An answer whose points have no weight
 * cannot be corrected.
 * @param count how many were measured; the last is the newest
 * @param most the largest number of corrections
 * @param tolerance an error that is small enough
 * @returns how many there were
 */
export function projectEntropy(density: usize, count: u32, most: u32, tolerance: f64): u32 {
  freshenAll(density, true);
  compareIterate(density, errorOf(density, measuredAt(density, count - 1)));
  let made: u32 = 0;
  for (; made < most; made++) {
    let worst: u32 = 0;
    let error: f64 = -1;
    for (let index: u32 = 0; index < count; index++) {
      const other = errorOf(density, measuredAt(density, index));
      if (other <= error) continue;
      error = other;
      worst = index;
    }
    if (error <= tolerance) break;
    project(density, measuredAt(density, worst));
    freshenAll(density, true);
  }
  addIterate(density);
  return made;
}

/** Scales a density so that its answers to one thing that was measured are right. */
export function projectOne(density: usize, index: u32): void {
  project(density, measuredAt(density, index));
}
