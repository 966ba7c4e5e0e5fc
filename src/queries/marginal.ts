import type { Attribute } from "../schema/schema.js";
import type { Query } from "./query.js";

/** A marginal is one partition of the rows: row-major, one axis a column, each as long as the column has codes, or groups of them. */
export function marginalShapes(axes: readonly Attribute[], groups: Query["groups"]): number[][] {
  return [axes.map((axis, at) => groupCount(groups?.[at]) ?? axis.size)];
}

function groupCount(groups: readonly number[] | null | undefined): number | undefined {
  return groups?.reduce((count, group) => Math.max(count, group + 1), 0);
}

/** The attributes as a grouped marginal sees them: the codes of its columns are its groups. */
export function groupedAttributes({ columns, groups }: Query, attributes: readonly Attribute[]): readonly Attribute[] {
  if (!groups) return attributes;
  return attributes.map((attribute, column) => {
    const size = groupCount(groups?.[columns.indexOf(column)]);
    return size === undefined ? attribute : { ...attribute, size };
  });
}

/** Calls `visit(cell, group cell)` for each combination of codes, in order, with the cell of the grouped marginal that it is in. */
export function eachGrouped(
  { columns, groups }: Query,
  attributes: readonly Attribute[],
  visit: (cell: number, grouped: number) => void,
): void {
  const axes = columns.map((column, at) => {
    const { size } = attributes[column];
    return { size, map: groups?.[at] ?? undefined, count: groupCount(groups?.[at]) ?? size };
  });
  let cell = 0;
  const walk = (axis: number, grouped: number): void => {
    if (axis === axes.length) {
      visit(cell++, grouped);
      return;
    }
    const { size, map, count } = axes[axis];
    for (let code = 0; code < size; code++) walk(axis + 1, grouped * count + (map ? map[code] : code));
  };
  walk(0, 0);
}
