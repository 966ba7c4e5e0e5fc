/**
 * The most codes that the axes of a pair should have: the largest limit under which the table has no more cells than
 * wanted, though never below `least`; infinity where none is needed.
 */
export function mostGroups(sizes: readonly number[], cells: number, least: number): number {
  const cellsUnder = (limit: number) => sizes.reduce((product, size) => product * Math.min(size, limit), 1);
  if (cellsUnder(Number.POSITIVE_INFINITY) <= cells) return Number.POSITIVE_INFINITY;
  let limit = Math.max(...sizes);
  while (limit > least && cellsUnder(limit) > cells) limit--;
  return Math.max(limit, least);
}

/** Runs of neighbours: the first ends as soon as half of the next code would be more than its part of what is left. */
export function runs(counts: readonly number[], most: number): number[] {
  const part = counts.reduce((sum, count) => sum + count, 0) / most;
  const heldBy = (length: number) => counts.slice(0, length).reduce((sum, count) => sum + count, 0);
  const ends = (length: number) => heldBy(length) > 0 && heldBy(length) + counts[length] / 2 > part;
  const length = most === 1 ? -1 : counts.findIndex((_, at) => at > 0 && ends(at));
  if (length < 0) return counts.map(() => 0);
  return [...Array<number>(length).fill(0), ...runs(counts.slice(length), most - 1).map((group) => group + 1)];
}

/** A group for each of the largest codes, and one for the rest. */
export function largest(counts: readonly number[], most: number): number[] {
  return counts.map((count, code) => {
    const before = counts.filter((other, at) => other > count || (other === count && at < code));
    return Math.min(before.length, most - 1);
  });
}
