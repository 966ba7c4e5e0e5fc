import type { Codes } from "../core/table.js";
import type { Linked } from "./linked.js";
import { numbersOf, rowTest, sumOf } from "./row-test.js";
import { type Bounds, pick } from "./solver.js";

/** The cells of synthetic rows in linked columns, an array a column. */
interface Cells {
  /** The stored codes: values, which are changed. */
  readonly stored: readonly Codes[];
  /** The codes that queries saw, from whose bins the values were drawn. */
  readonly codes: readonly Uint16Array[];
  /** Random words, one a row. */
  readonly words: readonly Uint32Array[];
}

/** The most values that are tried to draw one row again. */
const REDRAW_TRIES = 64;
/** The most rows among which donors are looked for, and the most cells compared to find the nearest. */
const MOST_DONORS = 65_536;
const MOST_COMPARISONS = 2 ** 27;

/**
 * Changes the values of synthetic rows until all of them satisfy the constraints of linked columns. A row that does not gets, in this
 * order: totals that fit, where they stay within their bins; new values from the bins of its linked columns; all linked cells of another
 * row that satisfies the constraints, one of those nearest to it; the witness, where there is no such row. Other rows stay as they are.
 * The result depends on the arguments alone: the real table takes no part.
 */
export function enforceLinked(linked: Linked, cells: Cells): void {
  const breaks = rowTest(linked, cells.stored);
  const broken: number[] = [];
  for (let row = 0; row < cells.stored[0].length; row++) if (breaks(row)) broken.push(row);
  const derive = totals(linked, cells);
  const redraw = redrawing(linked, cells);
  const hopeless = broken.filter((row) => {
    derive(row);
    return breaks(row) && !redraw(row);
  });
  transplant(linked, cells, hopeless);
}

/** What gives the totals of a row the sums of their parts, where these lie in the totals' bins. */
function totals({ constraints, columns, axes }: Linked, { stored, codes }: Cells): (row: number) => void {
  const sums = constraints.flatMap((constraint) => {
    if (constraint.kind !== "sum") return [];
    const [total, ...parts] = constraint.columns.map((column) => columns.indexOf(column));
    return [{ total, sum: sumOf(parts.map((part) => numbersOf(axes[part], stored[part]))) }];
  });
  return (row) => {
    for (const { total, sum } of sums) {
      const [axis, number] = [axes[total], sum(row)];
      const [first, last] = axis.run(codes[total][row]);
      const position = axis.from(number);
      if (position >= first && position <= last && axis.number(position) === number)
        stored[total][row] = axis.stored(position);
    }
  };
}

/** What draws the values of a row again, inside their bins; false where none that satisfy the constraints were found there. */
function redrawing({ axes, solver }: Linked, { stored, codes, words }: Cells): (row: number) => boolean {
  const tuples = new Tuples(codes);
  const hopeless = new Set<number>();
  return (row) => {
    const tuple = tuples.number(row);
    if (hopeless.has(tuple)) return false;
    const bounds: Bounds = { first: new Float64Array(axes.length), last: new Float64Array(axes.length) };
    for (const [column, axis] of axes.entries()) {
      const [first, last] = axis.run(codes[column][row]);
      bounds.first[column] = first > last ? Number.NaN : first;
      bounds.last[column] = first > last ? stored[column][row] : last;
    }
    const found = solver.solve(bounds, (column) => words[column][row], REDRAW_TRIES);
    if (!found) {
      hopeless.add(tuple);
      return false;
    }
    for (const [column, axis] of axes.entries())
      if (!Number.isNaN(found.first[column])) stored[column][row] = axis.stored(found.first[column]);
    return true;
  };
}

/** Gives each of some rows the linked cells of one of the other rows nearest to it, or the witness. */
function transplant({ axes, witness }: Linked, { stored, codes, words }: Cells, rows: readonly number[]): void {
  const recipients = new Tuples(codes);
  const kinds = grouped(rows, recipients, Number.POSITIVE_INFINITY);
  const most = Math.ceil(MOST_COMPARISONS / Math.max(1, kinds.length * axes.length));
  const donors = grouped(others(rows, stored[0].length), new Tuples(codes), most);
  for (const kind of kinds) {
    const near = nearest(kind[0], donors, { axes, codes });
    const count = near.reduce((sum, { length }) => sum + length, 0);
    for (const row of kind) {
      const donor = count ? nth(near, pick(count, words[0][row])) : undefined;
      for (let column = 0; column < axes.length; column++)
        stored[column][row] = donor === undefined ? witness[column] : stored[column][donor];
    }
  }
}

/** The first rows, up to MOST_DONORS, that are not among `excluded` (ascending). */
function others(excluded: readonly number[], length: number): number[] {
  const rows: number[] = [];
  for (let row = 0, at = 0; row < length && rows.length < MOST_DONORS; row++)
    if (row === excluded[at]) at++;
    else rows.push(row);
  return rows;
}

/** Rows in groups with the same codes, in the order of first appearance, for as long as there are no more than `most` groups. */
function grouped(rows: readonly number[], tuples: Tuples, most: number): number[][] {
  const groups: number[][] = [];
  for (const row of rows) {
    const number = tuples.number(row);
    if (number < groups.length) groups[number].push(row);
    else if (groups.length < most) groups.push([row]);
    else break;
  }
  return groups;
}

/** Of groups of rows those whose codes differ from a row's in the fewest columns, a cell without value from one with as in all. */
function nearest(
  row: number,
  groups: readonly number[][],
  { axes, codes }: Pick<Linked, "axes"> & Pick<Cells, "codes">,
): number[][] {
  let least = Number.POSITIVE_INFINITY;
  let near: number[][] = [];
  for (const group of groups) {
    let distance = 0;
    for (let column = 0; column < axes.length && distance <= least; column++) {
      const [here, there] = [codes[column][row], codes[column][group[0]]];
      if (here === there) continue;
      distance += axes[column].blank(here) === axes[column].blank(there) ? 1 : axes.length;
    }
    if (distance < least) near = [];
    least = Math.min(least, distance);
    if (distance === least) near.push(group);
  }
  return near;
}

function nth(groups: readonly number[][], index: number): number {
  let left = index;
  for (const group of groups) {
    if (left < group.length) return group[left];
    left -= group.length;
  }
  throw new RangeError("There are fewer rows.");
}

/** Numbers the different combinations of a row's codes in the order of first appearance. */
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
