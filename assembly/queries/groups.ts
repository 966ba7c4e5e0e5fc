// Tables whose codes are put into groups: sums over the cells of each group of cells, and cells scaled group by group.
// A group of cells is a combination of one group of codes per axis, in row-major order.
import { orderOf, sizeOf } from "./query";

/**
 * Adds counts to the sums of their groups, and overwrites them with zeros: they may be private.
 * @param query a QUERY of one level and at least one axis: the table's axes
 * @param grouped the same QUERY with numbers of groups in place of numbers of codes
 * @param maps usize[order]: for each axis u32[codes], the group of each code, or 0 where every code is its own group
 * @param counts i32[cells]
 * @param sums i32[cells of `grouped`]
 */
export function moveToGroups(query: usize, grouped: usize, maps: usize, counts: usize, sums: usize): void {
  const end = walkGroups<i32>(query, grouped, maps, 0, counts, sums, 0, false);
  memory.fill(counts, 0, end - counts);
}

/** Adds estimates to the sums of their groups. @param table f64[cells] @param sums f64[cells of `grouped`] */
export function sumGroups(query: usize, grouped: usize, maps: usize, table: usize, sums: usize): void {
  walkGroups<f64>(query, grouped, maps, 0, table, sums, 0, false);
}

/**
 * Scales the cells of each group so that they sum to what is wanted; to 0 where they hold nothing to scale.
 * @param table f64[cells], replaced
 * @param held f64[cells of `grouped`]: the sums of the table's groups
 * @param wanted f64[cells of `grouped`]; overwritten
 */
export function scaleGroups(query: usize, grouped: usize, maps: usize, table: usize, held: usize, wanted: usize): void {
  let groups: usize = 1;
  for (let axis: u32 = 0; axis < orderOf(grouped); axis++) groups *= sizeOf(grouped, axis);
  for (let at: usize = 0; at < groups << 3; at += 8) {
    const sum = load<f64>(held + at);
    store<f64>(wanted + at, sum > 0 ? load<f64>(wanted + at) / sum : 0);
  }
  walkGroups<f64>(query, grouped, maps, 0, table, wanted, 0, true);
}

/**
 * Walks the cells in order, starting at `cell`, and adds each to the value of its group, or (`scale`) multiplies it by
 * that value. `group` is the index of the group on the axes before `axis`. Returns the end of the walk.
 */
function walkGroups<T>(
  query: usize,
  grouped: usize,
  maps: usize,
  axis: u32,
  cell: usize,
  values: usize,
  group: u32,
  scale: bool,
): usize {
  const map = load<usize>(maps + axis * sizeof<usize>());
  const first = group * sizeOf(grouped, axis);
  const isLast = axis + 1 == orderOf(query);
  for (let code: u32 = 0, codes = sizeOf(query, axis); code < codes; code++) {
    const index = first + (map ? load<u32>(map + (<usize>code << 2)) : code);
    if (isLast) {
      const value = values + <usize>index * sizeof<T>();
      if (scale) store<T>(cell, load<T>(cell) * load<T>(value));
      else store<T>(value, load<T>(value) + load<T>(cell));
      cell += sizeof<T>();
    } else cell = walkGroups<T>(query, grouped, maps, axis + 1, cell, values, index, scale);
  }
  return cell;
}
