import type { Floats, Kernels, ProductQueries } from "../core/kernels.js";

/** Products of lines, all of one order, and what their answers should be, as fractions of the rows. */
export interface ProductAims {
  /** `order` lines of each product. */
  readonly lines: Uint32Array;
  readonly order: number;
  readonly fractions: Float32Array;
  /** How much the squared error of each counts. */
  readonly weights: Float32Array;
}

/** Products next to their answers, in place of which are then the slopes. */
interface Placed {
  readonly products: ProductQueries;
  readonly answers: Floats;
  readonly aims: ProductAims;
}

/** Targets that relaxed rows descend to, where the kernels run. */
export class ProductTargets {
  readonly #kernels: Kernels;
  readonly #isRoot: boolean;
  readonly #placed: readonly Placed[];

  /**
   * @param width the number of lines that relaxed rows have
   * @param isRoot whether slopes are those of the root of the loss (Aydore et al. 2021), not of the loss itself
   */
  constructor(kernels: Kernels, width: number, targets: readonly ProductAims[], isRoot: boolean) {
    this.#kernels = kernels;
    this.#isRoot = isRoot;
    this.#placed = targets.map((aims) => {
      const { lines, order, fractions } = aims;
      const { starts, places } = occurrences(lines, width);
      const products = {
        ...{ lines: kernels.indices(lines), order, count: fractions.length },
        ...{ starts: kernels.indices(starts), places: kernels.indices(places) },
      };
      return { products, answers: kernels.floats(fractions.length), aims };
    });
  }

  /** Σ weight · (answer − fraction)² over all targets. @param x the lines of `rows` relaxed rows */
  async loss(x: Floats, rows: number): Promise<number> {
    let loss = 0;
    const slopes: Float32Array[] = [];
    for (const { products, answers, aims } of this.#placed) {
      this.#kernels.productQueries(x, rows, products, answers);
      const errors = await this.#kernels.read(answers);
      for (let at = 0; at < errors.length; at++) {
        const error = errors[at] - aims.fractions[at];
        errors[at] = aims.weights[at] * error;
        loss += errors[at] * error;
      }
      slopes.push(errors);
    }
    const root = this.#isRoot ? Math.sqrt(loss) || 1 : 1;
    for (const [at, { answers }] of this.#placed.entries())
      this.#kernels.write(
        answers,
        slopes[at].map((slope) => slope / root),
      );
    return loss;
  }

  /** Adds the slopes of the last loss, or of its root, to those at the lines; but for a factor of 2. */
  addSlopes(x: Floats, rows: number, into: Floats): void {
    for (const { products, answers } of this.#placed)
      this.#kernels.productQueriesGradient(x, rows, products, answers, into);
  }

  free(): void {
    for (const { products, answers } of this.#placed)
      for (const array of [products.lines, products.starts, products.places, answers]) this.#kernels.free(array);
  }
}

/** Where each of so many lines occurs in a list, as `ProductQueries` states it. */
function occurrences(lines: Uint32Array, count: number): { starts: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const line of lines) starts[line + 1]++;
  for (let line = 0; line < count; line++) starts[line + 1] += starts[line];
  const next = starts.slice();
  const places = new Uint32Array(lines.length);
  for (let at = 0; at < lines.length; at++) places[next[lines[at]]++] = at;
  return { starts, places };
}
