import type { Floats, Indices, Kernels, Products } from "../core/kernels.js";
import type { Attribute } from "../domain/attribute.js";
import { STREAM_RELAXED } from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";
import { codesOfCells } from "../queries/cells.js";
import { cellsOf, type Query } from "../queries/query.js";
import { ProductTargets } from "./product-targets.js";

/** How each row's numbers become shares of a column's codes. */
export type Relaxation = "softmax" | "sparsemax";

/** Cells of one order, and what their answers should be, as fractions of the rows. */
export interface CellTargets {
  readonly queries: readonly Query[];
  readonly fractions: Float32Array;
  /** How much the squared error of each counts. */
  readonly weights: Float32Array;
}

/** So many cells are answered together, and so many numbers of lines are kept: 64 MiB. */
const TOGETHER = 1 << 20;
const MOST_KEPT = 1 << 24;

/** How models of relaxed rows descend. */
export const ADAM = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/**
 * Relaxed rows: each has, for every column, shares of its codes that add up to 1, so it stands for all rows with
 * independent columns that could be drawn from them. A cell's answer is the mean product of shares. With `softmax` the
 * parameters are logits; with `sparsemax` they are the shares, moved back onto the simplex after each step.
 */
export class RelaxedRows {
  readonly #kernels: Kernels;
  readonly #attributes: readonly Attribute[];
  readonly #relaxation: Relaxation;
  /** Where each column's lines begin, and the end of the last. */
  readonly #starts: Uint32Array;
  readonly #blocks: Indices;
  readonly #parameters: Floats;
  readonly #shares: Floats;
  /** The slopes at the parameters and at the shares, and Adam's means. */
  readonly #slope: Floats;
  readonly #shareSlope: Floats;
  readonly #first: Floats;
  readonly #second: Floats;
  /** The lines of cells that are asked for again in every round, as far as there is room for them. */
  readonly #kept = new Map<Query, Products>();
  #keptNumbers = 0;
  #targets: ProductTargets | undefined;
  #step = 0;

  /**
   * @param rows how many, 1 or more
   * @param parameters to start from: line by line, `rows` numbers each
   */
  constructor(
    kernels: Kernels,
    attributes: readonly Attribute[],
    relaxation: Relaxation,
    readonly rows: number,
    parameters: Float32Array,
  ) {
    this.#kernels = kernels;
    this.#attributes = attributes;
    this.#relaxation = relaxation;
    this.#starts = startsOf(attributes);
    this.#blocks = kernels.indices(this.#starts);
    const numbers = parameters.length;
    this.#parameters = kernels.floats(parameters);
    const isApart = relaxation === "softmax";
    this.#shares = isApart ? kernels.floats(numbers) : this.#parameters;
    this.#slope = kernels.floats(numbers);
    this.#shareSlope = isApart ? kernels.floats(numbers) : this.#slope;
    this.#first = kernels.floats(numbers);
    this.#second = kernels.floats(numbers);
    this.#relax();
  }

  /** What does the work. */
  get engine(): Kernels["engine"] {
    return this.#kernels.engine;
  }

  /** The bytes that rows and cells take: of `cells` with at most `order` columns each. */
  static bytes(attributes: readonly Attribute[], rows: number, cells: number, order: number): number {
    return 4 * (6 * startsOf(attributes)[attributes.length] * rows + cells * (2 * order + 1) + MOST_KEPT);
  }

  /** Starts a descent towards targets, of cells of one order each. */
  aim(targets: readonly CellTargets[]): void {
    const kernels = this.#kernels;
    this.#targets?.free();
    const aims = targets.map(({ queries, fractions, weights }) => {
      const order = queries[0].columns.length;
      const lines = new Uint32Array(order * fractions.length);
      queries
        .map((query) => this.#linesOf(query, 0, cellsOf(query, this.#attributes)))
        .reduce((at, list) => {
          lines.set(list, at);
          return at + list.length;
        }, 0);
      return { lines, order, fractions, weights };
    });
    const width = this.#starts[this.#attributes.length];
    this.#targets = new ProductTargets(kernels, width, aims, this.#relaxation === "sparsemax");
    kernels.clear(this.#first);
    kernels.clear(this.#second);
    this.#step = 0;
  }

  /**
   * Σ weight · (answer − fraction)² over all targets, whose slopes are then in place of their answers. RAP descends the
   * root of this sum (Aydore et al. 2021), RAPsoftmax the sum itself.
   */
  loss(): Promise<number> {
    return this.#targets!.loss(this.#shares, this.rows);
  }

  /** One step of Adam down the slope of the loss, whose value was asked for just before. */
  descend(rate: number): void {
    const kernels = this.#kernels;
    const { rows } = this;
    kernels.clear(this.#shareSlope);
    this.#targets!.addSlopes(this.#shares, rows, this.#shareSlope);
    if (this.#shareSlope !== this.#slope) {
      kernels.clear(this.#slope);
      kernels.softmaxGradient(this.#shares, this.#shareSlope, this.#blocks, rows, this.#slope);
    }
    const step = { ...ADAM, rate, step: ++this.#step };
    kernels.adam(this.#parameters, this.#slope, this.#first, this.#second, step);
    this.#relax();
  }

  /** The fraction of the rows in each of the cells that a query asks for. */
  async answers(query: Query): Promise<Float32Array> {
    const kernels = this.#kernels;
    const cells = cellsOf(query, this.#attributes);
    const answers = new Float32Array(cells);
    for (let from = 0; from < cells; from += TOGETHER) {
      const { products, isKept } = this.#products(query, from, Math.min(cells, from + TOGETHER));
      const out = kernels.floats(products.count);
      kernels.productQueries(this.#shares, this.rows, products, out);
      answers.set(await kernels.read(out), from);
      kernels.free(out);
      if (!isKept) kernels.free(products.lines);
    }
    return answers;
  }

  /** Some of a query's cells, and whether their lines are kept for the next time. */
  #products(query: Query, from: number, to: number): { readonly products: Products; readonly isKept: boolean } {
    const known = this.#kept.get(query);
    if (known) return { products: known, isKept: true };
    const lines = this.#linesOf(query, from, to);
    const products = { lines: this.#kernels.indices(lines), order: query.columns.length, count: to - from };
    const isKept = to - from === cellsOf(query, this.#attributes) && this.#keptNumbers + lines.length <= MOST_KEPT;
    if (isKept) {
      this.#kept.set(query, products);
      this.#keptNumbers += lines.length;
    }
    return { products, isKept };
  }

  /** What rows can start from to be the same. */
  parameters(): Promise<Float32Array> {
    return this.#kernels.read(this.#parameters);
  }

  /** The shares of all codes: line by line, column after column. */
  shares(): Promise<Float32Array> {
    return this.#kernels.read(this.#shares);
  }

  close(): void {
    this.#kernels.close();
  }

  #relax(): void {
    this.#kernels[this.#relaxation](this.#parameters, this.#blocks, this.rows, this.#shares);
  }

  #linesOf(query: Query, from: number, to: number): Uint32Array {
    const lines = codesOfCells(query, this.#attributes, from, to);
    const order = query.columns.length;
    for (const [axis, column] of query.columns.entries())
      for (let at = axis; at < lines.length; at += order) lines[at] += this.#starts[column];
    return lines;
  }
}

/** The number of the first line of each column, and of all lines. */
export function startsOf(attributes: readonly Attribute[]): Uint32Array {
  const starts = new Uint32Array(attributes.length + 1);
  for (const [column, { size }] of attributes.entries()) starts[column + 1] = starts[column] + size;
  return starts;
}

/** Parameters to start from: uniform, from −1 to below 1, on a grid of 2^−23. @param seed u32 */
export function randomParameters(attributes: readonly Attribute[], rows: number, seed: number): Float32Array {
  const words = randomWords(startsOf(attributes)[attributes.length] * rows, seed, 0);
  return Float32Array.from(words, (word) => (word >>> 8) / 2 ** 23 - 1);
}

/** Random words of the search seed. @param id 0 for the start; 1 + column for the codes that are drawn */
export function randomWords(count: number, seed: number, id: number): Uint32Array {
  const engine = workbench();
  return engine.scratch(() => {
    const words = engine.alloc(4 * count);
    engine.exports.philoxWords(words, count, seed, STREAM_RELAXED, id);
    return engine.readU32(words, count);
  });
}
