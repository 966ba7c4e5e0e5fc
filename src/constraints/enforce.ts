import type { Codes } from "../core/table.js";
import type { Axis } from "./axis.js";
import type { Linked } from "./linked.js";
import { constraintTests, numbersOf, type RowTest, sumOf } from "./row-test.js";
import { boundsFor, pick } from "./solver.js";

/** The cells of synthetic rows in linked columns, one array per column. */
interface Cells {
  /** The stored codes. These are the values that are changed. */
  readonly stored: readonly Codes[];
  /**
   * The codes that queries see: the bins from which the values were drawn. They are updated when values leave their
   * bins.
   */
  readonly codes: readonly Uint16Array[];
  /** Random words, one per row. */
  readonly words: readonly Uint32Array[];
}

/** The largest number of values tried when one row is redrawn. */
const REDRAW_TRIES = 64;
/** The largest number of rows searched for donors. */
const MOST_DONORS = 65_536;
/**
 * The largest number of comparisons between kinds of rows and kinds of donors. At least `LEAST_KINDS` kinds of donors
 * are always kept.
 */
const MOST_COMPARISONS = 2 ** 22;
const LEAST_KINDS = 1024;

/**
 * Changes the values of synthetic rows until all of them satisfy the constraints of linked columns. For a row that does
 * not, these steps are tried in order: totals that fit, if they stay within their bins; new values from the bins of its
 * linked columns; totals that fit, wherever they are; all linked cells of another row that satisfies the constraints,
 * one of those nearest to it; the witness, if there is no such row. Other rows are left unchanged. The result depends
 * only on the arguments: the real table plays no part.
 */
export function enforceLinked(linked: Linked, cells: Cells): void {
  const breaks = anyOf(constraintTests(linked, cells.stored));
  const broken: number[] = [];
  for (let row = 0; row < cells.stored[0].length; row++) if (breaks(row)) broken.push(row);
  const derive = derivation(linked, cells);
  const redraw = redrawing(linked, cells);
  const hopeless = broken.filter((row) => {
    derive(row, true);
    if (!breaks(row) || redraw(row)) return false;
    derive(row, false);
    return breaks(row);
  });
  transplant(linked, cells, hopeless);
}

const anyOf = (tests: readonly RowTest[]) => (row: number) => {
  for (const test of tests) if (test(row)) return true;
  return false;
};

/**
 * Returns a function that sets the totals of a row to the sums of their parts, if they can have these numbers: only
 * inside the totals' bins, or anywhere.
 */
function derivation(
  { columns, constraints, axes }: Linked,
  { stored, codes }: Cells,
): (row: number, inside: boolean) => void {
  const stated = constraints.filter(({ kind }) => kind === "sum");
  const sums = partsFirst(stated.map((sum) => sum.columns.map((column) => columns.indexOf(column)))).map(
    ([total, ...parts]) => ({ total, sum: sumOf(parts.map((part) => numbersOf(axes[part], stored[part]))) }),
  );
  return (row, inside) => {
    for (const { total, sum } of sums) {
      const axis = axes[total];
      const number = sum(row);
      const position = axis.from(number);
      const [first, last] = axis.run(codes[total][row]);
      if (first > last || position >= axis.length || axis.number(position) !== number) continue;
      const leaves = position < first || position > last;
      if (leaves && inside) continue;
      stored[total][row] = axis.stored(position);
      if (leaves) codes[total][row] = axis.code(axis.stored(position));
    }
  };
}

/**
 * Sums (a total, then its parts) ordered so that parts which are totals themselves come first, as far as such an order
 * exists.
 */
function partsFirst(sums: readonly (readonly number[])[]): (readonly number[])[] {
  if (!sums.length) return [];
  const ready = sums.find(([, ...parts]) => !sums.some(([total]) => parts.includes(total))) ?? sums[0];
  return [ready, ...partsFirst(sums.filter((sum) => sum !== ready))];
}

/**
 * Returns a function that redraws the values of a row inside their bins. It returns false if it finds none there that
 * satisfy the constraints.
 */
function redrawing({ axes, solver }: Linked, { stored, codes, words }: Cells): (row: number) => boolean {
  const tuples = new Tuples(codes);
  const hopeless = new Set<number>();
  const bounds = boundsFor(axes.length);
  let current = 0;
  const word = (column: number) => words[column][current];
  return (row) => {
    if (hopeless.size && hopeless.has(tuples.number(row))) return false;
    current = row;
    for (let column = 0; column < axes.length; column++) {
      const [first, last] = axes[column].run(codes[column][row]);
      bounds.first[column] = first > last ? Number.NaN : first;
      bounds.last[column] = first > last ? stored[column][row] : last;
    }
    const found = solver.solve(bounds, word, REDRAW_TRIES);
    if (!found) {
      hopeless.add(tuples.number(row));
      return false;
    }
    for (let column = 0; column < axes.length; column++)
      if (!Number.isNaN(found.first[column])) stored[column][row] = axes[column].stored(found.first[column]);
    return true;
  };
}

/** Gives each of the given rows the linked cells of one of the other rows nearest to it, or the witness. */
function transplant({ axes, witness }: Linked, { stored, codes, words }: Cells, rows: readonly number[]): void {
  const kinds = grouped(rows, codes);
  const donors = new Donors(grouped(others(rows, stored[0].length), codes), axes, codes, kinds.length);
  for (const kind of kinds) {
    const near = donors.nearest(kind[0]);
    const count = near.reduce((sum, { length }) => sum + length, 0);
    for (const row of kind) {
      const donor = count ? nth(near, pick(count, words[0][row])) : undefined;
      for (let column = 0; column < axes.length; column++)
        stored[column][row] = donor === undefined ? witness[column] : stored[column][donor];
    }
  }
}

/** The first rows, up to MOST_DONORS, that are not in `excluded` (ascending). */
function others(excluded: readonly number[], length: number): number[] {
  const rows: number[] = [];
  for (let row = 0, at = 0; row < length && rows.length < MOST_DONORS; row++)
    if (row === excluded[at]) at++;
    else rows.push(row);
  return rows;
}

/** Rows grouped by equal codes, in order of first appearance. */
function grouped(rows: readonly number[], codes: readonly Uint16Array[]): number[][] {
  const tuples = new Tuples(codes);
  const groups: number[][] = [];
  for (const row of rows) {
    const number = tuples.number(row);
    if (number < groups.length) groups[number].push(row);
    else groups.push([row]);
  }
  return groups;
}

function nth(groups: readonly (readonly number[])[], index: number): number {
  let left = index;
  for (const group of groups) {
    if (left < group.length) return group[left];
    left -= group.length;
  }
  throw new RangeError("There are fewer rows.");
}

/** Rows that satisfy the constraints, grouped by equal codes, which can be found by their codes. */
class Donors {
  readonly #groups: readonly (readonly number[])[];
  readonly #axes: readonly Axis[];
  readonly #codes: readonly Uint16Array[];
  /** For each column and code, the groups that have it. */
  readonly #having: readonly Map<number, number[]>[];

  /** @param searches the number of calls of `nearest` to come: the more, the fewer groups are kept */
  constructor(
    groups: readonly (readonly number[])[],
    axes: readonly Axis[],
    codes: readonly Uint16Array[],
    searches: number,
  ) {
    this.#groups = groups.slice(0, Math.max(LEAST_KINDS, Math.floor(MOST_COMPARISONS / Math.max(1, searches))));
    this.#axes = axes;
    this.#codes = codes;
    this.#having = codes.map((column) => {
      const having = new Map<number, number[]>();
      for (const [group, [row]] of this.#groups.entries()) {
        const known = having.get(column[row]);
        if (known) known.push(group);
        else having.set(column[row], [group]);
      }
      return having;
    });
  }

  /**
   * The groups that differ from a row in the fewest columns. A cell without a value and one with a value differ as much
   * as all columns together.
   */
  nearest(row: number): (readonly number[])[] {
    const sharing = this.#codes.flatMap((column, at) => this.#having[at].get(column[row]) ?? []);
    const near = this.#nearestOf(row, new Set(sharing));
    // A group that shares no code differs in all columns at least.
    if (near.length && this.#distance(row, near[0]) < this.#codes.length)
      return near.map((group) => this.#groups[group]);
    return this.#nearestOf(row, this.#groups.keys()).map((group) => this.#groups[group]);
  }

  #nearestOf(row: number, groups: Iterable<number>): number[] {
    let least = Number.POSITIVE_INFINITY;
    let near: number[] = [];
    for (const group of groups) {
      const distance = this.#distance(row, group);
      if (distance < least) near = [];
      least = Math.min(least, distance);
      if (distance === least) near.push(group);
    }
    return near;
  }

  #distance(row: number, group: number): number {
    let distance = 0;
    for (let column = 0; column < this.#axes.length; column++) {
      const [here, there] = [this.#codes[column][row], this.#codes[column][this.#groups[group][0]]];
      if (here === there) continue;
      const { blank } = this.#axes[column];
      distance += blank(here) === blank(there) ? 1 : this.#axes.length;
    }
    return distance;
  }
}

/** Numbers the distinct combinations of a row's codes in order of first appearance. */
class Tuples {
  readonly #codes: readonly Uint16Array[];
  /** For each column: (combination so far) · 2^16 + code → combination. */
  readonly #known: readonly Map<number, number>[];

  constructor(codes: readonly Uint16Array[]) {
    this.#codes = codes;
    this.#known = codes.map(() => new Map());
  }

  number(row: number): number {
    let number = 0;
    for (const [column, known] of this.#known.entries()) {
      const key = number * 65_536 + this.#codes[column][row];
      number = known.get(key) ?? known.size;
      known.set(key, number);
    }
    return number;
  }
}
