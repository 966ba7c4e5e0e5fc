import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, structureOf } from "../queries/query.js";

/**
 * N̂, the number of rows. Every partition that contains all rows sums to it with variance cells · σ²; N̂ is the mean of
 * these sums, weighted by inverse variance. This is post-processing of noisy answers. N̂ may be negative where the
 * noise is larger than the table.
 */
export function estimateTotal(measurements: readonly Measurement[], attributes: readonly Attribute[]): number {
  const instance = new Instance();
  let weights = 0;
  let sum = 0;
  for (const { query, answers, sigma2 } of measurements)
    instance.scratch(() => {
      let next = instance.place(answers);
      for (const { shape, isWhole } of structureOf(query, attributes).partitions) {
        const cells = cellsIn(shape);
        const start = next;
        next += 4 * cells;
        if (!isWhole) continue;
        const weight = 1 / (cells * sigma2);
        weights += weight;
        sum += weight * instance.exports.sumCounts(start, cells);
      }
    });
  instance.drop();
  return sum / weights;
}
