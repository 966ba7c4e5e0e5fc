import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
import { workbench } from "../engine/workbench.js";
import type { Query } from "../queries/query.js";
import { writeQuery } from "../queries/struct.js";

/**
 * The most total noise of all cells of a table, as a fraction of its rows, at which measuring every cell is still
 * worthwhile. With more, codes are put into groups (bench/accuracy.md, "Resolution").
 */
export const MOST_NOISE = 0.3;
/** Columns with no more codes than this are not grouped (bench/accuracy.md, "Which pairs", tried 5 and 8 instead). */
export const LEAST_GROUPS = 20;

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
  const instance = workbench();
  const most = instance.scratch(() =>
    instance.exports.mostGroups(writeQuery(instance, query, attributes), (MOST_NOISE * total) / sigma, LEAST_GROUPS),
  );
  if (query.columns.every((column) => attributes[column].size <= most)) return query;
  const groups = query.columns.map((column) =>
    attributes[column].size > most ? groupsOf(instance, attributes[column], oneWays[column], most) : null,
  );
  return { ...query, groups };
}

/** The group of each code. There are at most `most` groups, plus one for the missing code if there is one. */
function groupsOf(instance: Instance, attribute: Attribute, counts: Float64Array, most: number): number[] {
  const { size, missing, ordered } = attribute;
  const values = missing ? size - 1 : size;
  return instance.scratch(() => {
    const groups = instance.alloc(4 * size);
    const scratch = instance.alloc(24 * values);
    const placed = instance.place(counts);
    instance.exports.groupCodes(placed, values, Number(missing), Number(Boolean(ordered)), most, groups, scratch);
    return [...instance.readU32(groups, size)];
  });
}
