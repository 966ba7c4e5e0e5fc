/**
 * The combinations of values that a list allows for some columns: stored codes, found by one look-up a column. A missing cell is a value
 * like any other in a column in which the list has one; a row that is missing in another column has no combination to be held against
 * the list.
 */
export class Combinations {
  /** One list of stored codes a combination, in the columns' order. */
  readonly rows: readonly (readonly number[])[];
  /** For each column the missing code, where a cell of it takes a row out of the list's reach; else `undefined`. */
  readonly exempt: readonly (number | undefined)[];
  /** For each column the number that each of its listed codes has, from 0. */
  readonly #listed: readonly ReadonlyMap<number, number>[];
  /** For each column but the first: (node so far) · (listed codes of the column) + (code's number) → node. */
  readonly #nodes: readonly ReadonlyMap<number, number>[];

  /** @param missing each column's missing code, where it has one */
  constructor(rows: readonly (readonly number[])[], missing: readonly (number | undefined)[]) {
    this.rows = rows;
    const listed = missing.map((_, column) => numbered(rows.map((row) => row[column])));
    this.#listed = listed;
    this.exempt = missing.map((code, column) => (code === undefined || listed[column].has(code) ? undefined : code));
    let reached = rows.map((row) => listed[0].get(row[0])!);
    this.#nodes = missing.slice(1).map((_, at) => {
      const codes = listed[at + 1];
      const keys = rows.map((row, index) => reached[index] * codes.size + codes.get(row[at + 1])!);
      const nodes = numbered(keys);
      reached = keys.map((key) => nodes.get(key)!);
      return nodes;
    });
  }

  /** Whether a row is in the list, or out of its reach. @param code the row's stored code of a column */
  holds(code: (column: number) => number): boolean {
    return this.#lists(code) || this.passes(code);
  }

  /** Whether a row is out of the list's reach. */
  passes(code: (column: number) => number): boolean {
    return this.exempt.some((missing, column) => missing !== undefined && code(column) === missing);
  }

  #lists(code: (column: number) => number): boolean {
    let node = 0;
    for (let column = 0; column < this.#listed.length; column++) {
      const listed = this.#listed[column].get(code(column));
      if (listed === undefined) return false;
      const next = column ? this.#nodes[column - 1].get(node * this.#listed[column].size + listed) : listed;
      if (next === undefined) return false;
      node = next;
    }
    return true;
  }
}

/** Different values, numbered in the order of first appearance. */
function numbered(values: readonly number[]): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const value of values) if (!numbers.has(value)) numbers.set(value, numbers.size);
  return numbers;
}
