/** Standard normal numbers from uniform ones (Box and Muller). */
export function gaussians(uniform: () => number, count: number): number[] {
  return Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}
