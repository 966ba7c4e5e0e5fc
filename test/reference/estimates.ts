import type { Attribute } from "../../src/domain/attribute.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { margin } from "./hierarchy.js";
import { fittedMargins } from "./margins.js";
import { shrunkTable } from "./shrinkage.js";
import { nearestCounts } from "./simplex.js";

/**
 * The estimated counts of some columns' codes, row-major, from answers without groups. They are what the estimates of
 * the sets with one column fewer imply (for one column: all values alike), corrected by what was measured.
 */
export function estimated(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
  total: number,
  columns: readonly number[],
): number[] {
  const axes = columns.map((column) => attributes[column]);
  const lower = () => columns.map((_, axis) => estimated(measurements, attributes, total, columns.toSpliced(axis, 1)));
  const sizes = axes.map(({ size }) => size);
  const rounds = columns.length === 2 ? 1 : 5;
  const implied = columns.length === 1 ? evenly(axes[0], total) : fittedMargins(sizes, lower(), rounds);
  const told = measurements
    .filter(({ query }) => columns.every((column) => query.columns.includes(column)))
    .map(({ query, answers, sigma2 }) => margin(query, columns, attributes, answers, sigma2));
  if (!told.length) return implied;
  const added = (of: "sums" | "precisions") =>
    implied.map((_, cell) => told.reduce((sum, one) => sum + one[of][cell], 0));
  const shrunk = shrunkTable({
    axes: axes.map((axis) => ({
      ...axis,
      codes: axis.ordered && !axis.tree && valuesOf(axis) > 12 ? valuesOf(axis) : 0,
    })),
    implied,
    sums: added("sums"),
    precisions: added("precisions"),
  });
  return columns.length === 1 ? nearestCounts(shrunk, total) : shrunk;
}

const valuesOf = ({ size, missing }: Attribute) => (missing ? size - 1 : size);

const evenly = (axis: Attribute, total: number) =>
  Array.from({ length: axis.size }, (_, code) => (code < valuesOf(axis) ? total / valuesOf(axis) : 0));
