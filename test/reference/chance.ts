/** The mean absolute deviation of a rounded Poisson count. */
export const chance = (count: number): number =>
  count < 1 / (2 * Math.PI) ? 2 * count : Math.sqrt(count / (Math.PI / 2));

/** Expected counts as targets, and the distance from them that chance contributes. */
export function chanceTargets(expected: readonly number[], most: number): { targets: number[]; distance: number } {
  const counts = expected.map((count) => Math.max(0, count));
  return {
    targets: counts.map((count) => Math.min(most, Math.round(count))),
    distance: counts.reduce((sum, count) => sum + chance(count), 0),
  };
}
