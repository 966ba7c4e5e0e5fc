import type { Attribute } from "../domain/attribute.js";
import { KIND_TABLE } from "../engine/layout.js";
import { areFew, NOT_A_FEW, NOT_GROUPS, NOT_ITS_COLUMNS } from "./column-set.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";

/**
 * A marginal is one partition of the rows, with one axis per column. An axis is as long as the column has codes, or
 * groups of codes.
 */
export const marginal: QueryClass = {
  kind: "marginal",
  number: KIND_TABLE,
  isColumnSet: true,
  structure({ columns, groups }, attributes) {
    const shape = columns.map((column, at) => groupCount(groups?.[at]) ?? attributes[column].size);
    return { partitions: [{ shape, isWhole: true }], free: 0 };
  },
  canHave: (partitions, free, attributes) =>
    partitions === 1 && free === 0 && attributes.some((attribute) => !attribute.tree),
  json: ({ groups }) => (groups ? { groups } : {}),
  parse({ groups }, columns, { attributes }) {
    if (columns.length && !areFew(columns)) return NOT_A_FEW;
    const hasTrees = columns.some((column) => attributes[column].tree);
    if (groups !== undefined && (hasTrees || !areGroups(groups, columns, attributes))) return NOT_GROUPS;
    if (hasTrees || !columns.length) return NOT_ITS_COLUMNS;
    return { kind: "marginal", columns, ...(groups === undefined ? {} : { groups }) };
  },
  encode: () => [],
};

/** Whether every code has a group number, from 0 without gaps. */
function areGroups(
  groups: unknown,
  columns: readonly number[],
  attributes: readonly Attribute[],
): groups is NonNullable<Query["groups"]> {
  return (
    Array.isArray(groups) &&
    groups.length === columns.length &&
    groups.every((map, axis) => {
      if (map === null) return true;
      if (!Array.isArray(map) || map.length !== attributes[columns[axis]].size) return false;
      const numbers = new Set<unknown>(map);
      return map.every(
        (group: unknown) => Number.isSafeInteger(group) && Number(group) >= 0 && Number(group) < numbers.size,
      );
    })
  );
}

/** The number of groups of each map that was asked about. */
const known = new WeakMap<readonly number[], number>();

function groupCount(groups: readonly number[] | null | undefined): number | undefined {
  if (!groups) return undefined;
  const count = known.get(groups) ?? groups.reduce((most, group) => Math.max(most, group + 1), 0);
  known.set(groups, count);
  return count;
}

/** The attributes of a marginal's axes, with groups of codes as codes. */
export function axesOf({ columns, groups }: Query, attributes: readonly Attribute[]): Attribute[] {
  return columns.map((column, at) => {
    const attribute = attributes[column];
    const size = groupCount(groups?.[at]);
    return size === undefined ? attribute : { ...attribute, size };
  });
}
