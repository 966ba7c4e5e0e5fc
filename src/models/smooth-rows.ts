import type { Floats, Indices, Kernels } from "../core/kernels.js";
import { type ProductAims, ProductTargets } from "./product-targets.js";
import { ADAM } from "./relaxed-rows.js";
import type { Lines, Sigmoids } from "./smooth-queries.js";

/** What relaxed rows are fitted to: products of their lines and of sigmoids, which have the lines after these. */
export interface SmoothAims {
  readonly products: readonly ProductAims[];
  readonly sigmoids: Sigmoids;
}

/** Relaxed rows with numeric columns, while they are fitted to answers (Vietri et al. 2022, Algorithm 1). */
export class SmoothRows {
  readonly #kernels: Kernels;
  readonly #rows: number;
  readonly #blocks: Indices;
  readonly #sigmoids: Sigmoids;
  readonly #coefficients: Floats;
  readonly #thresholds: Floats;
  readonly #targets: ProductTargets;
  /** The shares, then the sigmoids; and the slopes at them. */
  readonly #lines: Floats;
  readonly #slope: Floats;
  readonly #sums: Floats;
  readonly #sumSlope: Floats;
  /** Adam's means, of the shares. */
  readonly #first: Floats;
  readonly #second: Floats;
  #step = 0;

  /** @param shares to start from: line by line, `rows` numbers each */
  constructor(kernels: Kernels, lines: Lines, rows: number, shares: Float32Array, { products, sigmoids }: SmoothAims) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#blocks = kernels.indices(lines.blocks);
    this.#sigmoids = sigmoids;
    this.#coefficients = kernels.floats(sigmoids.coefficients);
    this.#thresholds = kernels.floats(sigmoids.thresholds);
    const width = lines.count + sigmoids.thresholds.length;
    this.#targets = new ProductTargets(kernels, width, products, true);
    const all = new Float32Array(width * rows);
    all.set(shares);
    this.#lines = kernels.floats(all);
    const [slope, sums, sumSlope] = [all.length, all.length - shares.length, all.length - shares.length];
    [this.#slope, this.#sums, this.#sumSlope] = [slope, sums, sumSlope].map(kernels.floats);
    [this.#first, this.#second] = [shares.length, shares.length].map(kernels.floats);
  }

  /** The bytes that it takes. @param factors how many lines all products have together */
  static bytes(lines: Lines, rows: number, sigmoids: number, products: number, factors: number): number {
    return 4 * (rows * (4 * (lines.count + sigmoids)) + sigmoids * lines.count + 3 * products + 2 * factors);
  }

  /** Forgets Adam's means. */
  restart(): void {
    this.#kernels.clear(this.#first);
    this.#kernels.clear(this.#second);
    this.#step = 0;
  }

  /** Σ weight · (answer − fraction)² over all targets. @param scale how steep sigmoids are */
  loss(scale: number): Promise<number> {
    const { inner } = this.#sigmoids;
    const product = { rows: this.#thresholds.length, inner, columns: this.#rows };
    this.#kernels.matrixProduct(this.#coefficients, this.#lines, this.#sums, product);
    this.#kernels.sigmoid(this.#sums, this.#rows, this.#thresholds, scale, this.#lines);
    return this.#targets.loss(this.#lines, this.#rows);
  }

  /** One step of Adam down the slope of the loss, whose value at this scale was asked for just before. */
  descend(rate: number, scale: number): void {
    const kernels = this.#kernels;
    const { inner } = this.#sigmoids;
    for (const slope of [this.#slope, this.#sumSlope]) kernels.clear(slope);
    this.#targets.addSlopes(this.#lines, this.#rows, this.#slope);
    kernels.sigmoidGradient(this.#lines, this.#rows, scale, this.#slope, this.#sumSlope);
    const product = { rows: inner, inner: this.#thresholds.length, columns: this.#rows, transposedA: true, adds: true };
    kernels.matrixProduct(this.#coefficients, this.#sumSlope, this.#slope, product);
    const step = { ...ADAM, rate, step: ++this.#step };
    kernels.adam(this.#lines, this.#slope, this.#first, this.#second, step);
    kernels.sparsemax(this.#lines, this.#blocks, this.#rows, this.#lines);
  }

  /** The shares of all columns, line by line. */
  async shares(): Promise<Float32Array> {
    return (await this.#kernels.read(this.#lines)).slice(0, this.#first.length);
  }
}
