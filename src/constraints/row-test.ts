import type { Codes } from "../core/table.js";
import type { Axis } from "./axis.js";
import type { Combinations } from "./combinations.js";
import type { Linked } from "./linked.js";

/** Tests whether a row breaks a constraint. */
export type RowTest = (row: number) => boolean;

/**
 * The test of each constraint of linked columns.
 * @param stored the stored codes of each linked column
 */
export function constraintTests({ constraints, columns, axes }: Linked, stored: readonly Codes[]): RowTest[] {
  return constraints.map((constraint) => {
    const places = constraint.columns.map((column) => columns.indexOf(column));
    if (constraint.kind === "combinations")
      return listTest(
        constraint.combinations,
        places.map((place) => stored[place]),
      );
    const [first, ...others] = places.map((place) => numbersOf(axes[place], stored[place]));
    // Comparisons with NaN are false, so a cell without a number breaks nothing.
    if (constraint.kind === "order") return (row) => first(row) > others[0](row);
    const sum = sumOf(others);
    return (row) => Math.abs(first(row) - sum(row)) > 0;
  });
}

function listTest(combinations: Combinations, stored: readonly Codes[]): RowTest {
  let current = 0;
  const code = (column: number) => stored[column][current];
  return (row) => {
    current = row;
    return !combinations.holds(code);
  };
}

/** Returns a function from a row to a column's number there, NaN if it has none. */
export function numbersOf(axis: Axis, stored: Codes): (row: number) => number {
  return (row) => {
    const position = axis.position(stored[row]);
    return position < 0 ? Number.NaN : axis.number(position);
  };
}

/** Returns a function from a row to the sum of several columns' numbers there, NaN if one has none. */
export function sumOf(parts: readonly ((row: number) => number)[]): (row: number) => number {
  return (row) => {
    let sum = 0;
    for (const part of parts) sum += part(row);
    return sum;
  };
}
