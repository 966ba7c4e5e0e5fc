/** The group of each code of an axis; null where every code is its own group. */
export type GroupMap = readonly number[] | null;

/** For each cell of a table, row-major, the cell of the grouped table that contains it. */
export function groupOfCells(sizes: readonly number[], maps: readonly GroupMap[]): number[] {
  const counts = groupCounts(sizes, maps);
  const cells = sizes.reduce((product, size) => product * size, 1);
  return Array.from({ length: cells }, (_, cell) => {
    let [rest, group, stride] = [cell, 0, 1];
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      const code = rest % sizes[axis];
      group += stride * (maps[axis]?.[code] ?? code);
      rest = Math.floor(rest / sizes[axis]);
      stride *= counts[axis];
    }
    return group;
  });
}

/** The number of groups of each axis. */
export function groupCounts(sizes: readonly number[], maps: readonly GroupMap[]): number[] {
  return sizes.map((size, axis) => new Set(maps[axis] ?? Array(size).keys()).size);
}

/** The sums of the cells of each group. */
export function groupSums(sizes: readonly number[], maps: readonly GroupMap[], table: ArrayLike<number>): number[] {
  const cells = groupCounts(sizes, maps).reduce((product, size) => product * size, 1);
  const sums = Array<number>(cells).fill(0);
  for (const [cell, group] of groupOfCells(sizes, maps).entries()) sums[group] += table[cell];
  return sums;
}

/** The table with each group's cells scaled to what is wanted of it. */
export function scaledGroups(
  sizes: readonly number[],
  maps: readonly GroupMap[],
  table: readonly number[],
  wanted: readonly number[],
): number[] {
  const held = groupSums(sizes, maps, table);
  const groups = groupOfCells(sizes, maps);
  return table.map((count, cell) => {
    const group = groups[cell];
    return held[group] > 0 ? count * (wanted[group] / held[group]) : 0;
  });
}
