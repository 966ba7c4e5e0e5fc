import type { Measurement } from "../queries/measurement.js";
import { cellsIn, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { Shrinkage } from "./shrinkage.js";

/**
 * One estimate of each attribute's distribution from all noisy answers: every measurement of the attribute by its
 * codes, its finest partition summed over the other axes, averaged by inverse variance; shrunk, where that is asked for; shifted to the common total; projected
 * on the simplex. An attribute that nothing measured is uniform over its values, never missing.
 * @param total the common number of rows, positive
 * @returns for each attribute its codes' expected counts, non-negative, summing to `total`
 */
export function estimateOneWays(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
  total: number,
  shrinkage?: Shrinkage,
): Float64Array[] {
  const sums = attributes.map((attribute) => new Float64Array(attribute.size));
  const weights = new Float64Array(attributes.length);
  for (const { query, answers, sigma2 } of measurements) {
    const shape = shapesOf(query, attributes).at(-1)!;
    const cells = cellsIn(shape);
    const finest = answers.subarray(answers.length - cells);
    let inner = cells;
    query.columns.forEach((column, axis) => {
      inner /= shape[axis];
      if (query.groups?.[axis]) return;
      const weight = shape[axis] / (cells * sigma2);
      for (let cell = 0; cell < cells; cell++)
        sums[column][Math.floor(cell / inner) % shape[axis]] += weight * finest[cell];
      weights[column] += weight;
    });
  }
  return sums.map((sum, column) => {
    if (!weights[column]) return uniform(attributes[column], total);
    const noisy = sum.map((value) => value / weights[column]);
    const mean = shrinkage?.oneWay(column, noisy, 1 / Math.sqrt(weights[column])) ?? noisy;
    const shift = (total - mean.reduce((a, b) => a + b, 0)) / mean.length;
    return projectOnSimplex(
      mean.map((value) => value + shift),
      total,
    );
  });
}

/** The point of { x ≥ 0, Σx = total } nearest to `values`: all values lowered by one threshold, negative ones set to 0. */
export function projectOnSimplex(values: Float64Array, total: number): Float64Array {
  const descending = values.slice().sort().reverse();
  let sum = 0;
  let threshold = 0;
  for (let kept = 1; kept <= descending.length; kept++) {
    sum += descending[kept - 1];
    const candidate = (sum - total) / kept;
    if (candidate >= descending[kept - 1]) break;
    threshold = candidate;
  }
  return values.map((value) => Math.max(0, value - threshold));
}

function uniform({ size, missing }: Attribute, total: number): Float64Array {
  const values = missing ? size - 1 : size;
  return Float64Array.from({ length: size }, (_, code) => (code < values ? total / values : 0));
}
