import { Instance } from "../engine/wasm.js";
import type { Measurement } from "../queries/measurement.js";
import type { Attribute } from "../schema/schema.js";

/** Columns of fewer ordered codes have too few Haar coefficients to tell what is noise. */
const LEAST_ORDERED = 13;

/** How many of an attribute's codes, from the first, are ordered and enough to be shrunk as such; else 0. */
function orderedCodes({ ordered, size, missing }: Attribute): number {
  const values = missing ? size - 1 : size;
  return ordered && values >= LEAST_ORDERED ? values : 0;
}

/** Makes estimates from noisy answers in an engine of its own. Post-processing: it sees noisy answers and public facts alone. */
export class Shrinkage {
  readonly #instance = new Instance();

  constructor(readonly attributes: readonly Attribute[]) {}

  /**
   * The counts of one column, what is ordered of them smoothed.
   * @param counts each with noise of standard deviation `sigma`
   */
  oneWay(column: number, counts: Float64Array, sigma: number): Float64Array {
    const ordered = orderedCodes(this.attributes[column]);
    if (!ordered) return counts;
    return this.#run(counts, (pointer) => this.#instance.exports.shrinkOrdered(pointer, ordered, sigma));
  }

  /**
   * What the rows most likely answer to a measured query: fitting the noisy answers themselves would fit their noise. A one-way is its
   * estimate from all measurements; the marginal of two columns is the product of their one-ways plus what of its interaction
   * stands out of the noise. Trees and marginals of more columns are left as they were measured.
   * @param oneWays for each attribute the expected counts of its codes, summing to `total`
   * @param total the common number of rows, positive
   * @returns the query's answers, in counts
   */
  answers({ query, answers, sigma2 }: Measurement, oneWays: readonly Float64Array[], total: number): Float64Array {
    const noisy = Float64Array.from(answers);
    if (query.kind !== "marginal" || query.columns.length > 2) return noisy;
    const [first, second] = query.columns.map((column) => oneWays[column]);
    if (!second) return first;
    const [orderedRows, orderedColumns] = query.columns.map((column) => orderedCodes(this.attributes[column]));
    const instance = this.#instance;
    return this.#run(noisy, (table) => {
      const scratch = instance.alloc(8 * (2 * noisy.length + first.length + second.length));
      instance.exports.shrinkTable(
        ...([table, first.length, second.length, orderedRows, orderedColumns] as const),
        ...([instance.place(first), instance.place(second), total, Math.sqrt(sigma2), scratch] as const),
      );
    });
  }

  /** Places values in the engine, lets a kernel replace them, and returns them. */
  #run(values: Float64Array, kernel: (pointer: number) => void): Float64Array {
    const { exports: engine } = this.#instance;
    const mark = engine.mark();
    const pointer = this.#instance.place(values);
    kernel(pointer);
    const result = this.#instance.f64(pointer, values.length).slice();
    engine.rewind(mark);
    return result;
  }
}
