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

/** For each combination of codes, in order, the cell of the grouped marginal that it is in. */
export function groupOfCells({ columns, groups }: Query, attributes: readonly Attribute[]): Uint32Array {
  return columns.reduce((cells, column, at) => {
    const { size } = attributes[column];
    const group = groups?.[at];
    const count = groupCount(group) ?? size;
    const finer = new Uint32Array(cells.length * size);
    let place = 0;
    for (const cell of cells)
      for (let code = 0; code < size; code++) finer[place++] = cell * count + (group ? group[code] : code);
    return finer;
  }, new Uint32Array(1));
}
