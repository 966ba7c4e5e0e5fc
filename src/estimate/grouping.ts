import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { workbench } from "../engine/workbench.js";
import type { Query } from "../queries/query.js";
import { writeGrouped } from "../queries/struct.js";

/**
 * The most total noise of all cells of a table, as a fraction of its rows, at which measuring every cell is still
 * worthwhile. With more, codes are put into groups (bench/accuracy.md, "Resolution").
 */
export const MOST_NOISE = 0.3;
/** Columns with no more codes than this are not grouped (bench/accuracy.md, "Which pairs", tried 5 and 8 instead). */
export const LEAST_GROUPS = 20;

/** A query, and the standard deviation of the noise on each of its cells. */
export interface NoisyQuery {
  readonly query: Query;
  readonly sigma: number;
}

/**
 * The marginals at the resolution at which their noise leaves something visible. If one has too many cells for the
 * table's rows, the codes of its larger columns are put into groups of about equal size; where codes are ordered, the
 * groups are runs of neighbours. This is post-processing of noisy one-ways, so the choice costs nothing.
 * @param oneWays for each attribute the estimated counts of its codes
 * @param total the estimated number of rows
 */
export function grouped(
  asked: readonly NoisyQuery[],
  attributes: readonly Attribute[],
  oneWays: readonly Float64Array[],
  total: number,
): Query[] {
  const queries = asked.map(({ query }) => query);
  const engine = workbench();
  const most = engine.scratch(() => {
    const calls = new Calls(engine);
    for (const [at, { byCode }] of writeGrouped(engine, queries, attributes).entries())
      calls.add("mostGroups", byCode, (MOST_NOISE * total) / asked[at].sigma, LEAST_GROUPS);
    return calls.results();
  });
  const axes = queries.map(({ columns }, at) => columns.map((column) => ({ column, most: most[at] })));
  const large = axes.flat().filter(({ column, most }) => attributes[column].size > most);
  const groups = new Map(groupsOf(large, attributes, oneWays).map((groups, at) => [large[at], groups]));
  return queries.map((query, at) =>
    axes[at].some((axis) => groups.has(axis))
      ? { ...query, groups: axes[at].map((axis) => groups.get(axis) ?? null) }
      : query,
  );
}

/** For each column the group of each code. There are at most `most` groups, plus one for a missing code. */
function groupsOf(
  axes: readonly { readonly column: number; readonly most: number }[],
  attributes: readonly Attribute[],
  oneWays: readonly Float64Array[],
): number[][] {
  const engine = workbench();
  return engine.scratch(() => {
    const sizes = axes.map(({ column }) => attributes[column].size);
    const groups = engine.reserve(sizes.map((size) => 4 * size));
    const scratch = engine.alloc(24 * sizes.reduce((a, b) => Math.max(a, b), 1));
    const counts = engine.placeAll(oneWays);
    const calls = new Calls(engine);
    for (const [at, { column, most }] of axes.entries()) {
      const { size, missing, ordered } = attributes[column];
      const values = missing ? size - 1 : size;
      const flags = [Number(missing), Number(Boolean(ordered))] as const;
      calls.add("groupCodes", counts[column], values, ...flags, most, groups[at], scratch);
    }
    calls.run();
    return engine.readAll(groups, sizes, Uint32Array).map((numbers) => [...numbers]);
  });
}
