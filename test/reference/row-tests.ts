/**
 * A column, its values in ascending order; without numbers where these are not compared, and missing is then the last.
 */
export interface Column {
  readonly values: readonly Value[];
  /** The distance of its numbers; infinite for categories and for what is not compared. */
  readonly step: number;
  /** The stored code of a missing cell. */
  readonly missing: number | undefined;
  /** For each code that queries see, its first and its last value; none for the missing number. */
  readonly runs: readonly (readonly [first: number, last: number] | undefined)[];
}

/** A value: its stored code, the code that queries see, and its number. */
export interface Value {
  readonly stored: number;
  readonly code: number;
  readonly number?: number;
}

export interface Problem {
  readonly columns: readonly Column[];
  /** Places of columns: lower, upper. */
  readonly orders: readonly (readonly number[])[];
  /** Total, parts. */
  readonly sums: readonly (readonly number[])[];
  /** Stored codes; a column whose list has no missing cell exempts rows with one. */
  readonly lists: readonly {
    readonly columns: readonly number[];
    readonly combinations: readonly (readonly number[])[];
  }[];
}

export const numberOf = ({ values }: Column, stored: number): number | undefined =>
  values.find((value) => value.stored === stored)?.number;

/** Whether each constraint is broken by a row of stored codes: orders, then sums, then lists. */
export function broken({ columns, orders, sums, lists }: Problem, row: readonly number[]): boolean[] {
  const numbers = (places: readonly number[]) => places.map((place) => numberOf(columns[place], row[place]));
  const isWhole = (all: readonly (number | undefined)[]): all is number[] => !all.includes(undefined);
  return [
    ...orders.map(numbers).map((pair) => isWhole(pair) && pair[0] > pair[1]),
    ...sums.map(numbers).map((all) => isWhole(all) && all[0] !== all.slice(1).reduce((sum, part) => sum + part)),
    ...lists.map((list) => !isExempt(columns, list, row) && !isListed(list, row)),
  ];
}

type List = Problem["lists"][number];

export const isListed = ({ columns, combinations }: List, row: readonly number[]): boolean =>
  combinations.some((codes) => codes.every((code, at) => code === row[columns[at]]));

export const isExempt = (all: readonly Column[], { columns, combinations }: List, row: readonly number[]): boolean =>
  columns.some((place, at) => {
    const { missing } = all[place];
    return missing !== undefined && row[place] === missing && combinations.every((codes) => codes[at] !== missing);
  });
