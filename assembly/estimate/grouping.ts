// The resolution of pairs: how many groups of codes their noise leaves readable, and which codes each group holds.
import { levelsOf, orderOf, sizeOf } from "../queries/query";
import { rankValues } from "./ranking";

/**
 * The most codes, or groups of codes, that an axis of a table should have. Only marginals of two columns get fewer
 * groups than codes; other tables have no limit (infinity). The larger column is reduced first.
 * @param query a QUERY
 * @param cells how many cells the noise leaves readable
 * @param least columns with no more codes than this are not grouped
 */
export function mostGroups(query: usize, cells: f64, least: f64): f64 {
  if (orderOf(query) != 2 || levelsOf(query) != 1) return Infinity;
  const smaller = <f64>min<u32>(sizeOf(query, 0), sizeOf(query, 1));
  return max<f64>(least, floor<f64>(max<f64>(sqrt<f64>(cells), cells / smaller)));
}

/**
 * Writes the group of each code of a column. Ordered codes are cut into runs of neighbours. Of others, the largest are
 * on their own, and the rest in one group. "Missing" is one more group, the last. Returns the number of groups.
 * @param counts f64[values and missing]: the estimated rows of each code, 0 or more
 * @param values the number of codes besides missing, at least 1
 * @param most the number of groups for them, at least 1
 * @param groups u32[values and missing], replaced
 * @param scratch u64[3·values]
 */
export function groupCodes(
  counts: usize,
  values: u32,
  missing: bool,
  ordered: bool,
  most: u32,
  groups: usize,
  scratch: usize,
): u32 {
  const count = ordered ? cutRuns(counts, values, most, groups) : keepLargest(counts, values, most, groups, scratch);
  if (!missing) return count;
  store<u32>(groups + (<usize>values << 2), count);
  return count + 1;
}

/** A run ends when it holds its part of what is left. */
function cutRuns(counts: usize, values: u32, most: u32, groups: usize): u32 {
  let left: f64 = 0;
  for (let at: usize = 0; at < <usize>values << 3; at += 8) left += load<f64>(counts + at);
  let group: u32 = 0;
  let held: f64 = 0;
  for (let at: usize = 0; at < <usize>values << 3; at += 8) {
    const count = load<f64>(counts + at);
    if (held > 0 && group < most - 1 && held + count / 2 > left / <f64>(most - group)) {
      left -= held;
      held = 0;
      group++;
    }
    held += count;
    store<u32>(groups + (at >> 1), group);
  }
  return group + 1;
}

function keepLargest(counts: usize, values: u32, most: u32, groups: usize, scratch: usize): u32 {
  const order = scratch + (<usize>values << 4);
  rankValues(counts, values, order, scratch);
  for (let place: u32 = 0; place < values; place++)
    store<u32>(groups + ((<usize>load<u32>(order + (<usize>place << 2))) << 2), min<u32>(place, most - 1));
  return min<u32>(values, most);
}
