import type { Attribute } from "../domain/attribute.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, structureOf } from "../queries/query.js";

/**
 * N̂, the number of rows. Every partition that contains all rows sums to it with variance cells · σ²; N̂ is the mean of
 * these sums, weighted by inverse variance. This is post-processing of noisy answers. N̂ may be negative where the
 * noise is larger than the table.
 */
export function estimateTotal(measurements: readonly Measurement[], attributes: readonly Attribute[]): number {
  let weights = 0;
  let sum = 0;
  for (const { query, answers, sigma2 } of measurements) {
    let start = 0;
    for (const { shape, isWhole } of structureOf(query, attributes).partitions) {
      const cells = cellsIn(shape);
      start += cells;
      if (!isWhole) continue;
      const weight = 1 / (cells * sigma2);
      let partition = 0;
      for (let cell = start - cells; cell < start; cell++) partition += answers[cell];
      weights += weight;
      sum += weight * partition;
    }
  }
  return sum / weights;
}
