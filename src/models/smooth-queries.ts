import { StandinError } from "../core/errors.js";
import { type Attribute, valuesOf } from "../domain/attribute.js";
import { workbench } from "../engine/workbench.js";
import { countOf } from "../queries/members.js";
import { comparedColumns, type Query, shapesOf } from "../queries/query.js";
import type { RandomHalfSpaces } from "../queries/random-half-spaces.js";
import { queryParameters, writeQuery } from "../queries/struct.js";

/**
 * The columns as relaxed rows have them: one that is no tree, and whose values no query compares with thresholds, has
 * shares of its codes, as if they had no order.
 */
export function smoothColumns(attributes: readonly Attribute[], queries: readonly Query[]): readonly Attribute[] {
  const compared = comparedColumns(queries);
  return attributes.map((attribute, column) => {
    const { ordered, tree } = attribute;
    return ordered && !tree && !compared.has(column) ? { ...attribute, ordered: false } : attribute;
  });
}

/**
 * Where relaxed rows have the lines of each column. A numeric column has a value from 0 to 1, what is left of 1, and,
 * where it can be missing, how much of it is: shares that add up to 1. Code c of n values is at c/n. Any other column
 * has the shares of its codes.
 */
export interface Lines {
  /** The first line of each column. */
  readonly starts: Uint32Array;
  /** Where blocks of lines begin, one for each column, those of numeric ones first; and the end of the last. */
  readonly blocks: Uint32Array;
  /** How many lines numeric columns have. */
  readonly numeric: number;
  readonly count: number;
}

export function linesOf(attributes: readonly Attribute[]): Lines {
  const starts = new Uint32Array(attributes.length);
  const blocks = [0];
  let count = 0;
  const lay = (isNumeric: boolean) => {
    for (const [column, { ordered = false, missing, size }] of attributes.entries()) {
      if (ordered !== isNumeric) continue;
      starts[column] = count;
      count += isNumeric ? 2 + Number(missing) : size;
      blocks.push(count);
    }
    return count;
  };
  const numeric = lay(true);
  lay(false);
  return { starts, blocks: Uint32Array.from(blocks), numeric, count };
}

/** Sigmoids of how far sums are below thresholds: the sums of lines times coefficients. */
export interface Sigmoids {
  readonly thresholds: Float32Array;
  /** For each threshold, those of the first `inner` lines. */
  readonly coefficients: Float32Array;
  readonly inner: number;
}

/** What a sum adds up: lines, and the coefficient of each. */
type Terms = readonly (readonly [line: number, coefficient: number])[];

/** The lines whose product says how much of each row is in a cell; without any, all of it. */
type Factors = readonly number[];

const MISSING = 2;
/** How steep sigmoids of half-spaces are, of which each changes with many lines, next to those of single columns. */
const GENTLE = 0.5;
/** Members of sets of half-spaces that the engine states together, and the bytes of each line. */
const LANES = 32;
const LINE_BYTES = 2 * LANES;

/**
 * Queries as products of lines. Sigmoids have the lines after those of the columns: one for each threshold that a
 * numeric column is compared with, and for each half-space. As they become steeper, the answers tend to the engine's
 * counts, except where a half-space's threshold is no farther from a sum than this is rounded in whole numbers.
 */
export class SmoothQueries {
  readonly #attributes: readonly Attribute[];
  readonly #lines: Lines;
  readonly #sums: { readonly terms: Terms; readonly threshold: number }[] = [];
  /** The line of each sigmoid of one column. */
  readonly #known = new Map<string, number>();

  constructor(attributes: readonly Attribute[], lines: Lines) {
    this.#attributes = attributes;
    this.#lines = lines;
  }

  /** The factors of each answer of a query that `expectSmooth` lets pass. */
  factorsOf(query: Query): Factors[] {
    switch (query.kind) {
      case "random-half-spaces":
        return this.#halfSpaces(query as RandomHalfSpaces);
      case "ranges":
      case "random-prefixes":
        return this.#boxes(query);
      default:
        return shapesOf(query, this.#attributes).flatMap((shape) =>
          crossed(
            [],
            query.columns.map((column, axis) => this.#cells(column, shape[axis])),
          ),
        );
    }
  }

  sigmoids(): Sigmoids {
    const isNumeric = this.#sums.every(({ terms }) => terms.every(([line]) => line < this.#lines.numeric));
    const inner = isNumeric ? this.#lines.numeric : this.#lines.count;
    const coefficients = new Float32Array(this.#sums.length * inner);
    for (const [at, { terms }] of this.#sums.entries())
      for (const [line, coefficient] of terms) coefficients[at * inner + line] += coefficient;
    return { thresholds: Float32Array.from(this.#sums, ({ threshold }) => threshold), coefficients, inner };
  }

  /** The line of a sigmoid. */
  #sigmoid(terms: Terms, threshold: number): number {
    return this.#lines.count + this.#sums.push({ terms, threshold }) - 1;
  }

  /** The factors of a column's cells, of which there are `size`. */
  #cells(column: number, size: number): Factors[] {
    const { ordered, missing, tree } = this.#attributes[column];
    const start = this.#lines.starts[column];
    if (!ordered) return Array.from({ length: size }, (_, code) => [start + code]);
    const values = valuesOf(this.#attributes[column]);
    const nodes = size - Number(missing);
    // A tree's leaf has the codes c with ⌊leaves·c / values⌋.
    const ends = Array.from({ length: nodes + 1 }, (_, end) => (tree ? Math.ceil((end * values) / nodes) : end));
    const cells = ends.slice(1).map((end, cell) => this.#values(column, ends[cell], end));
    return missing ? [...cells, [start + MISSING]] : cells;
  }

  /** The factors of the values from one code to below another; or of what is missing, where it is the only code. */
  #values(column: number, from: number, to: number): Factors {
    const { missing } = this.#attributes[column];
    const values = valuesOf(this.#attributes[column]);
    const start = this.#lines.starts[column];
    // Halfway between codes. What is missing is far beyond all thresholds.
    const atMost = (line: number, threshold: number): number => {
      const key = `${line} ${threshold}`;
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const terms: Terms = [[line, 1], ...(missing ? [[start + MISSING, 2] as const] : [])];
      const found = this.#sigmoid(terms, threshold);
      this.#known.set(key, found);
      return found;
    };
    if (from < to && from === values) return [start + MISSING];
    if (from >= to) return [atMost(start, -0.5 / values)];
    const factors: number[] = [];
    if (to < values) factors.push(atMost(start, (to - 0.5) / values));
    if (from > 0) factors.push(atMost(start + 1, 1 - (from - 0.5) / values));
    // All values: less than half of it may be missing.
    if (!factors.length && missing) factors.push(atMost(start + MISSING, 1.5));
    return factors;
  }

  #boxes(query: Query): Factors[] {
    const { columns } = query;
    const [boxes, , divided, sides, ...bounds] = queryParameters(query, this.#attributes);
    const axes = columns.flatMap((column, axis) =>
      (divided >>> axis) & 1 ? [this.#cells(column, this.#attributes[column].size)] : [],
    );
    return Array.from({ length: boxes }, (_, box) => {
      const own = bounds.slice(2 * sides * box, 2 * sides * (box + 1));
      const factors = Array.from({ length: sides }, (_, side) => {
        const [column, bound] = [columns[own[2 * side]], own[2 * side + 1]];
        const [first, count] = [bound & 0xffff, bound >>> 16];
        return this.#attributes[column].ordered
          ? this.#values(column, first, first + count)
          : [this.#lines.starts[column] + first];
      });
      return crossed(factors.flat(), axes);
    }).flat();
  }

  #halfSpaces(query: RandomHalfSpaces): Factors[] {
    const { columns, labels, each, side } = query;
    const isLabel = (column: number) => labels.includes(this.#attributes[column].name);
    const cellsOf = (column: number) => this.#cells(column, this.#attributes[column].size);
    const axes = each ? columns.filter(isLabel).map(cellsOf) : [];
    const lines = columns.filter((column) => !isLabel(column)).flatMap((column) => this.#coordinates(column));
    const sign = side === "below" ? GENTLE : -GENTLE;
    return this.#members(query, lines.length).flatMap(({ start, axis, code, direction }) => {
      const terms = direction.map((coordinate, at) => [lines[at], sign * coordinate] as const);
      const label = axis < columns.length ? cellsOf(columns[axis])[code] : [];
      return crossed([this.#sigmoid(terms, -sign * start), ...label], axes);
    });
  }

  /** The lines that a column's coordinates multiply. */
  #coordinates(column: number): number[] {
    const { ordered, missing, size } = this.#attributes[column];
    const start = this.#lines.starts[column];
    if (!ordered) return Array.from({ length: size }, (_, code) => start + code);
    return missing ? [start, start + MISSING] : [start];
  }

  /**
   * What members ask for: sums of coordinates that are at most −start, halfway between whole numbers of the engine's
   * units; and the label's axis and code, or an axis that the query does not have.
   */
  #members(query: RandomHalfSpaces, coordinates: number) {
    const engine = workbench();
    return Array.from({ length: Math.ceil(countOf(query) / LANES) }, (_, block) =>
      engine.scratch(() => {
        const out = engine.alloc(LINE_BYTES * (3 + coordinates));
        const place = LANES * block;
        const unit = 2 ** -engine.exports.halfSpaceMembers(writeQuery(engine, query, this.#attributes), place, out);
        const words = engine.readU16(out, LANES * (3 + coordinates));
        const numbers = new Int16Array(words.buffer);
        return Array.from({ length: Math.min(LANES, countOf(query) - place) }, (_, lane) => ({
          start: (numbers[lane] - 0.5) * unit,
          axis: words[LANES + lane],
          code: words[2 * LANES + lane],
          direction: Array.from({ length: coordinates }, (_, at) => numbers[LANES * (3 + at) + lane] * unit),
        }));
      }),
    ).flat();
  }
}

/** The factors of all combinations of the axes' cells, row-major, after some that all of them have. */
const crossed = (factors: Factors, axes: readonly (readonly Factors[])[]): Factors[] =>
  axes.reduce<Factors[]>((lists, cells) => lists.flatMap((list) => cells.map((cell) => [...list, ...cell])), [factors]);

const SMOOTH = ["total", "marginal", "tree", "ranges", "random-prefixes", "random-half-spaces"];

/**
 * Refuses queries that are no products of shares and thresholds.
 * @throws {StandinError} `workload/not-smooth`
 */
export function expectSmooth(queries: readonly Query[]): void {
  const other = queries.find(({ kind, groups }) => !SMOOTH.includes(kind) || groups);
  if (other)
    throw new StandinError(
      "workload/not-smooth",
      `Relaxed rows answer column sets, boxes and half-spaces, and the workload has a query of the class "${other.kind}".`,
      "Use private-gsd for such queries.",
    );
}
