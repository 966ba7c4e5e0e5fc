import type { Attribute } from "../domain/attribute.js";
import type { Query } from "../queries/query.js";

/**
 * The most total noise of all cells of a table, as a fraction of its rows, at which measuring every cell is still
 * worthwhile. With more, codes are put into groups (bench/accuracy.md, "Resolution").
 */
const MOST_NOISE = 0.3;
/** Columns with no more codes than this are not grouped (bench/accuracy.md, "Which pairs", tried 5 and 8 instead). */
const LEAST_GROUPS = 20;

/**
 * The marginal at the resolution at which its noise leaves something visible. If it has too many cells for the table's
 * rows, the codes of its larger columns are put into groups of about equal size; where codes are ordered, the groups
 * are runs of neighbours. This is post-processing of noisy one-ways, so the choice costs nothing.
 * @param oneWays for each attribute the estimated counts of its codes
 * @param total the estimated number of rows
 * @param sigma the standard deviation of the noise on each cell
 */
export function grouped(
  query: Query,
  attributes: readonly Attribute[],
  oneWays: readonly Float64Array[],
  total: number,
  sigma: number,
): Query {
  const wanted = resolution(query, attributes, total, sigma);
  const sizes = query.columns.map((column) => attributes[column].size);
  if (wanted.every((count, axis) => count >= sizes[axis])) return query;
  const groups = query.columns.map((column, axis) =>
    wanted[axis] < sizes[axis] ? groupsOf(attributes[column], oneWays[column], wanted[axis]) : null,
  );
  return { ...query, groups };
}

/**
 * The number of codes, or groups of codes, on each axis of a query at that resolution. Only marginals of two columns
 * get fewer groups than codes.
 */
export function resolution(query: Query, attributes: readonly Attribute[], total: number, sigma: number): number[] {
  const sizes = query.columns.map((column) => attributes[column].size);
  if (query.kind !== "marginal" || sizes.length !== 2 || Math.max(...sizes) <= LEAST_GROUPS) return sizes;
  return affordable(sizes, (MOST_NOISE * total) / sigma);
}

/** Two sizes with a product of at most `cells`. The larger one is reduced first, and neither below LEAST_GROUPS. */
function affordable(sizes: readonly number[], cells: number): number[] {
  const common = Math.max(Math.sqrt(cells), cells / Math.min(...sizes));
  return sizes.map((size) => Math.min(size, Math.max(LEAST_GROUPS, Math.floor(common))));
}

/** The group of each code. There are at most `count` groups, plus one for the missing code if there is one. */
function groupsOf(attribute: Attribute, counts: Float64Array, count: number): number[] {
  const values = attribute.missing ? attribute.size - 1 : attribute.size;
  const groups = attribute.ordered
    ? runs(counts.subarray(0, values), count)
    : largest(counts.subarray(0, values), count);
  return attribute.missing ? [...groups, Math.max(...groups) + 1] : groups;
}

/** Runs of neighbouring codes. A run ends when it holds its part of what is left. */
function runs(counts: Float64Array, most: number): number[] {
  let left = counts.reduce((sum, count) => sum + count, 0);
  let group = 0;
  let held = 0;
  return Array.from(counts, (count) => {
    if (held > 0 && group < most - 1 && held + count / 2 > left / (most - group)) {
      left -= held;
      held = 0;
      group++;
    }
    held += count;
    return group;
  });
}

/** The largest codes on their own, and the rest in one group. */
function largest(counts: Float64Array, most: number): number[] {
  const ranked = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
  const rank = new Map(ranked.map((code, place) => [code, Math.min(place, most - 1)]));
  return Array.from(counts.keys(), (code) => rank.get(code)!);
}
