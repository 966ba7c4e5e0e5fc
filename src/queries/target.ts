import { shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { nearest } from "../core/spelling.js";
import type { Attribute } from "../domain/attribute.js";
import { isColumnSet, keyOf, queryOf } from "./query.js";
import { expectFew, expectFewSets, type WeightedQueries } from "./workload.js";

/**
 * The place of the column that the rows should predict well.
 * @throws {StandinError} `options/target` where the schema models no such column
 */
export function targetPlace(name: string, attributes: readonly Attribute[]): number {
  const names = attributes.map((attribute) => attribute.name);
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const near = typeof name === "string" ? nearest(name, names) : undefined;
  throw new StandinError(
    "options/target",
    `The target is ${shownValue(name)}, which the schema does not model.`,
    near === undefined ? `Modelled columns: ${names.join(", ")}.` : `Did you mean ${near}?`,
  );
}

/**
 * A workload for predicting a column: after its queries come all pairs of the target with another of its columns, then
 * its column sets, each with the target added. A set with the target added has the weight of the set.
 * @throws {StandinError} `options/target` where the workload has no column sets; `workload/too-many-columns` where the
 * target does not fit into one; `workload/too-large` where there are too many with it
 */
export function withTarget(
  { queries, weights }: WeightedQueries,
  target: number,
  attributes: readonly Attribute[],
): WeightedQueries {
  const sets = queries.filter(isColumnSet);
  if (!sets.length)
    throw new StandinError(
      "options/target",
      "The workload has no column set, so there is nothing to measure together with the target.",
      "Add column sets, such as 2-way, or leave the target out.",
    );
  const others = new Set(sets.flatMap(({ columns }) => columns.filter((column) => column !== target)));
  const byKey = new Map(queries.map((query) => [keyOf(query), query]));
  const weightOf = new Map(weights);
  const add = (columns: readonly number[], weight?: number) => {
    if (columns.includes(target)) return;
    const set = [...columns, target].sort((a, b) => a - b);
    expectFew(set, attributes);
    const query = queryOf(set, attributes);
    if (byKey.has(keyOf(query))) return;
    byKey.set(keyOf(query), query);
    if (weights) weightOf.set(query, weight ?? 1);
  };
  for (const column of [...others].sort((a, b) => a - b)) add([column]);
  for (const set of sets) add(set.columns, weights?.get(set));
  expectFewSets("The workload with the target", byKey.size);
  return { queries: [...byKey.values()], ...(weights && { weights: weightOf }) };
}
