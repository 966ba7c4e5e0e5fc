import type { Attribute } from "../schema/schema.js";

/** A marginal is one partition of the rows: row-major, one axis a column, each as long as the column has codes. */
export function marginalShapes(axes: readonly Attribute[]): number[][] {
  return [axes.map((axis) => axis.size)];
}
