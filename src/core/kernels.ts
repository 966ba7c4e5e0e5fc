// The numeric work of models that are fitted by gradients, as calls to kernels. Arrays stay where the kernels run.

/** Numbers of 32 bits where the kernels run, all 0 at first. They last until they are freed, or the kernels closed. */
export interface Floats {
  readonly length: number;
}

/** Whole numbers of 32 bits where the kernels run. */
export interface Indices {
  readonly length: number;
}

/** A product of matrices, all of them row-major: `rows` × `inner` times `inner` × `columns`. */
export interface Product {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  /** Whether `a` is stored as `inner` × `rows`, and `b` as `columns` × `inner`. */
  readonly transposedA?: boolean;
  readonly transposedB?: boolean;
  /** Whether the product is added to what `out` holds. */
  readonly adds?: boolean;
}

/**
 * Queries of relaxed rows that ask for products: each has `order` lines, 1 or more, and its answer is the mean over the
 * rows of the product of its lines' numbers.
 */
export interface Products {
  /** `count` × `order` numbers of lines. A query may name a line more than once. */
  readonly lines: Indices;
  readonly order: number;
  readonly count: number;
}

/** Queries that ask for products, with what their gradient needs. */
export interface ProductQueries extends Products {
  /**
   * Where each line occurs in `lines`: for line l, the places `places[starts[l]]` … `places[starts[l + 1] − 1]`,
   * ascending. `starts` has one entry more than there are lines, and ascends to the length of `places`.
   */
  readonly starts: Indices;
  readonly places: Indices;
}

/** A step of Adam (Kingma and Ba, ICLR 2015, Algorithm 1). */
export interface AdamStep {
  /** The number of the step, 1 or more. */
  readonly step: number;
  readonly rate: number;
  /** Both at least 0 and less than 1. */
  readonly beta1: number;
  readonly beta2: number;
  /** Positive. */
  readonly epsilon: number;
}

/**
 * Kernels on numbers of 32 bits, on WASM or a GPU. Calls take effect in the order in which they are made; they may
 * still run when they return. Sums may be rounded in another order on another engine.
 *
 * Relaxed rows are stored line by line: all rows' numbers for one code lie next to each other, so an array of `rows`
 * rows, 1 or more, has `length / rows` lines. Blocks of lines belong to one column each: block b has the lines
 * `blocks[b]` … `blocks[b + 1] − 1`, so `blocks` ascends, and has 1 number or more. Lines that belong to no block are
 * left alone. On WASM, blocks are slow where the number of rows is a multiple of 512, which suits caches badly: 1,000
 * rows are faster than 1,024.
 *
 * Gradients are added to what their arrays hold. No array may be given twice in one call, unless it says so.
 * @throws {StandinError} of all calls: `gradient/shape`, where lengths, indices or numbers are not what they must be;
 * `gradient/array`, for an array that was freed, that other kernels made, or that is given twice, for floats where
 * indices are expected or the other way round, and once the kernels are closed. Such a call has no effect.
 */
export interface Kernels {
  readonly engine: "wasm" | "webgpu";
  /** @param content the numbers, or how many. @throws {StandinError} `engine/memory`, `gpu/memory` */
  floats(content: number | Float32Array): Floats;
  indices(content: Uint32Array): Indices;
  write(to: Floats, numbers: Float32Array): void;
  /** The numbers after all calls so far. @throws {StandinError} `gpu/lost`, if the GPU has failed meanwhile */
  read(from: Floats): Promise<Float32Array>;
  /** Sets all numbers to 0. */
  clear(array: Floats): void;
  /** Gives the memory of an array back. */
  free(array: Floats | Indices): void;
  /** Gives everything back. Kernels may be closed twice. */
  close(): void;

  /** out = a · b. `b` and `out` may be longer than their matrices, which are then at their beginning. */
  matrixProduct(a: Floats, b: Floats, out: Floats, product: Product): void;
  /** Each row's numbers in each block become e^x / Σ e^x. `out` may be `x`. */
  softmax(x: Floats, blocks: Indices, rows: number, out: Floats): void;
  /** @param p what `softmax` returned; @param slope the slopes at `p` */
  softmaxGradient(p: Floats, slope: Floats, blocks: Indices, rows: number, into: Floats): void;
  /**
   * The nearest point of the simplex to each row's numbers in each block (Martins and Astudillo, ICML 2016). `out` may
   * be `x`.
   */
  sparsemax(x: Floats, blocks: Indices, rows: number, out: Floats): void;
  /** @param p what `sparsemax` returned; @param slope the slopes at `p` */
  sparsemaxGradient(p: Floats, slope: Floats, blocks: Indices, rows: number, into: Floats): void;
  /** Writes the answers of `x`, `queries.count` numbers. */
  productQueries(x: Floats, rows: number, queries: Products, answers: Floats): void;
  /** @param slope the slopes at the answers; @param into those at `x` */
  productQueriesGradient(x: Floats, rows: number, queries: ProductQueries, slope: Floats, into: Floats): void;
  /**
   * Writes 1 / (1 + e^(−scale · (threshold − sum))), which tends to whether the sum is at most the threshold (Vietri et
   * al. 2022, Definition 11, with the sign of "at most").
   * @param sums `thresholds.length` × `rows`
   * @param scale positive and finite, in 32 bits too
   * @param out as many lines, or more: then these are its last
   */
  sigmoid(sums: Floats, rows: number, thresholds: Floats, scale: number, out: Floats): void;
  /**
   * @param p what `sigmoid` returned, with any lines before it
   * @param slope the slopes at all lines of `p`
   * @param into those at the sums
   */
  sigmoidGradient(p: Floats, rows: number, scale: number, slope: Floats, into: Floats): void;
  /**
   * Moves parameters down the slope: the first `first.length` of them, if there are more.
   * @param first, second Adam's means, updated too
   */
  adam(parameters: Floats, slope: Floats, first: Floats, second: Floats, step: AdamStep): void;
  /**
   * Gives each line mean 0 and variance 1 over the rows, times its gain, plus its bias (Ioffe and Szegedy, ICML 2015,
   * Algorithm 1).
   * @param epsilon added to the variance; positive
   * @param statistics two numbers a line, for the gradient: its mean, and 1 / √(variance + epsilon)
   */
  batchNorm(
    x: Floats,
    rows: number,
    gain: Floats,
    bias: Floats,
    epsilon: number,
    out: Floats,
    statistics: Floats,
  ): void;
  batchNormGradient(
    x: Floats,
    rows: number,
    gain: Floats,
    statistics: Floats,
    slope: Floats,
    into: Floats,
    intoGain: Floats,
    intoBias: Floats,
  ): void;
}
