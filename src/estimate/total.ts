import type { Measurement } from "../queries/measurement.js";
import { cellsIn, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/**
 * N̂, the number of rows: every partition of every measurement sums to it with variance cells · σ²; their mean weighted by
 * inverse variance. Post-processing of noisy answers. May be negative where the noise is larger than the table.
 */
export function estimateTotal(measurements: readonly Measurement[], attributes: readonly Attribute[]): number {
  let weights = 0;
  let sum = 0;
  for (const { query, answers, sigma2 } of measurements) {
    let start = 0;
    for (const shape of shapesOf(query, attributes)) {
      const cells = cellsIn(shape);
      const weight = 1 / (cells * sigma2);
      let partition = 0;
      for (let cell = start; cell < start + cells; cell++) partition += answers[cell];
      weights += weight;
      sum += weight * partition;
      start += cells;
    }
  }
  return sum / weights;
}
