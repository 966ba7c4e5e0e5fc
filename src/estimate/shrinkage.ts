import { Instance } from "../engine/wasm.js";
import { eachGrouped } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
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
   * stands out of the noise. Where groups of codes were measured, each group's estimate is spread over its cells in proportion to the
   * product of the one-ways. Trees and marginals of more columns are left as they were measured.
   * @param oneWays for each attribute the expected counts of its codes, summing to `total`
   * @param total the common number of rows, positive
   * @returns answers in counts, of groups those of the codes in them
   */
  answers(measurement: Measurement, oneWays: readonly Float64Array[], total: number): Float64Array {
    const { kind, columns, groups } = measurement.query;
    if (kind !== "marginal" || columns.length > 2) return Float64Array.from(measurement.answers);
    const counts = columns.map((column) => oneWays[column]);
    if (columns.length === 1) return counts[0];
    if (!groups) return this.#shrunk(measurement, counts, total);
    const held = counts.map((values, axis) => (groups[axis] ? sumsOf(values, groups[axis]) : values));
    return this.#spread(measurement.query, this.#shrunk(measurement, held, total), counts, held);
  }

  #shrunk({ query, answers, sigma2 }: Measurement, [first, second]: Float64Array[], total: number): Float64Array {
    const instance = this.#instance;
    const [orderedRows, orderedColumns] = [first, second].map((counts, axis) =>
      orderedCodes({ ...this.attributes[query.columns[axis]], size: counts.length }),
    );
    return this.#run(Float64Array.from(answers), (table) => {
      const scratch = instance.alloc(8 * (2 * answers.length + first.length + second.length));
      instance.exports.shrinkTable(
        ...([table, first.length, second.length, orderedRows, orderedColumns] as const),
        ...([instance.place(first), instance.place(second), total, Math.sqrt(sigma2), scratch] as const),
      );
    });
  }

  /** A table of groups spread over their codes; `held` are the sums of `counts` over the groups. */
  #spread(query: Query, table: Float64Array, counts: Float64Array[], held: Float64Array[]): Float64Array {
    const product = ([first, second]: Float64Array[], cell: number) =>
      first[Math.floor(cell / second.length)] * second[cell % second.length];
    const spread = new Float64Array(counts[0].length * counts[1].length);
    eachGrouped(query, this.attributes, (cell, group) => {
      const whole = product(held, group);
      spread[cell] = whole > 0 ? (table[group] * product(counts, cell)) / whole : 0;
    });
    return spread;
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

function sumsOf(counts: Float64Array, groups: readonly number[]): Float64Array {
  const sums = new Float64Array(Math.max(...groups) + 1);
  groups.forEach((group, code) => {
    sums[group] += counts[code];
  });
  return sums;
}
