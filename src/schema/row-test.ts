import type { Codes } from "../core/table.js";
import type { Axis } from "./axis.js";
import type { Constraint } from "./constraints.js";
import type { Linked } from "./linked.js";

/**
 * What tells whether a row breaks one of the constraints of linked columns.
 * @param stored the stored codes of each linked column
 */
export function rowTest({ constraints, columns, axes }: Linked, stored: readonly Codes[]): (row: number) => boolean {
  const tests = constraints.map((constraint) => {
    const places = constraint.columns.map((column) => columns.indexOf(column));
    return constraintTest(
      constraint,
      places.map((place) => axes[place]),
      places.map((place) => stored[place]),
    );
  });
  return (row) => {
    for (const breaks of tests) if (breaks(row)) return true;
    return false;
  };
}

/**
 * What tells whether a row breaks a constraint.
 * @param axes,stored of the constraint's columns
 */
export function constraintTest(
  constraint: Constraint,
  axes: readonly Axis[],
  stored: readonly Codes[],
): (row: number) => boolean {
  if (constraint.kind === "combinations") {
    let current = 0;
    const code = (column: number) => stored[column][current];
    return (row) => {
      current = row;
      return !constraint.combinations.holds(code);
    };
  }
  const [first, ...others] = axes.map((_, column) => numbersOf(axes[column], stored[column]));
  // Comparisons with NaN are false: a cell without a number breaks nothing.
  if (constraint.kind === "order") return (row) => first(row) > others[0](row);
  const sum = sumOf(others);
  return (row) => Math.abs(first(row) - sum(row)) > 0;
}

/** What gives a column's number in a row, NaN where it has none. */
export function numbersOf(axis: Axis, stored: Codes): (row: number) => number {
  return (row) => {
    const position = axis.position(stored[row]);
    return position < 0 ? Number.NaN : axis.number(position);
  };
}

/** What gives the sum of several columns' numbers in a row, NaN where one has none. */
export function sumOf(parts: readonly ((row: number) => number)[]): (row: number) => number {
  return (row) => {
    let sum = 0;
    for (const part of parts) sum += part(row);
    return sum;
  };
}
