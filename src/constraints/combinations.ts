/**
 * The combinations of values that a list allows for some columns: stored codes, found with one look-up per column. In a
 * column where the list contains a missing cell, missing is a value like any other. A row that is missing in any other
 * column has no combination to check against the list.
 */
export class Combinations {
  /** One list of stored codes per combination, in the columns' order. */
  readonly rows: readonly (readonly number[])[];
  /** For each column the missing code, if a missing cell there exempts a row from the list; otherwise `undefined`. */
  readonly exempt: readonly (number | undefined)[];
  /** For each column the number of each of its listed codes, from 0. */
  readonly #listed: readonly Numbering[];
  /** For each column except the first: (node so far) · (listed codes of the column) + (code's number) → node. */
  readonly #nodes: readonly Numbering[];

  /** @param missing each column's missing code, where it has one */
  constructor(rows: readonly (readonly number[])[], missing: readonly (number | undefined)[]) {
    this.rows = rows;
    const listed = missing.map((_, column) => new Numbering(rows.map((row) => row[column])));
    this.#listed = listed;
    this.exempt = missing.map((code, column) => (code === undefined || listed[column].of(code) < 0 ? code : undefined));
    let reached = rows.map((row) => listed[0].of(row[0]));
    this.#nodes = listed.slice(1).map((codes, at) => {
      const keys = rows.map((row, index) => reached[index] * codes.size + codes.of(row[at + 1]));
      const nodes = new Numbering(keys);
      reached = keys.map((key) => nodes.of(key));
      return nodes;
    });
  }

  /** Whether a row is in the list, or exempt from it. @param code the row's stored code of a column */
  holds(code: (column: number) => number): boolean {
    return this.#lists(code) || this.passes(code);
  }

  /** Whether a row is exempt from the list. */
  passes(code: (column: number) => number): boolean {
    return this.exempt.some((missing, column) => missing !== undefined && code(column) === missing);
  }

  #lists(code: (column: number) => number): boolean {
    let node = 0;
    for (let column = 0; column < this.#listed.length; column++) {
      const listed = this.#listed[column].of(code(column));
      if (listed < 0) return false;
      node = column ? this.#nodes[column - 1].of(node * this.#listed[column].size + listed) : listed;
      if (node < 0) return false;
    }
    return true;
  }
}

/** Values below this are looked up in an array. */
const DENSE = 2 ** 20;

/** Whole numbers from −1 up, numbered in order of first appearance. */
class Numbering {
  readonly #sparse = new Map<number, number>();
  readonly #dense: Int32Array;

  constructor(values: readonly number[]) {
    for (const value of values) if (!this.#sparse.has(value)) this.#sparse.set(value, this.#sparse.size);
    let most = 0;
    for (const value of values) most = Math.max(most, value);
    this.#dense = new Int32Array(most < DENSE ? most + 1 : 0).fill(-1);
    for (const [value, number] of this.#sparse)
      if (value < this.#dense.length && value >= 0) this.#dense[value] = number;
  }

  get size(): number {
    return this.#sparse.size;
  }

  /** The number of a value; −1 if it has none. */
  of(value: number): number {
    return this.#dense[value] ?? this.#sparse.get(value) ?? -1;
  }
}
