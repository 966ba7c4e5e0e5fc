import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { workbench } from "../engine/workbench.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, structureOf } from "../queries/query.js";

/** The most answers that are summed together, unless a single measurement has more. */
const MOST_CELLS = 1 << 20;

/**
 * N̂, the number of rows. Every partition that contains all rows sums to it with variance cells · σ²; N̂ is the mean of
 * these sums, weighted by inverse variance. This is post-processing of noisy answers. N̂ may be negative where the
 * noise is larger than the table.
 */
export function estimateTotal(measurements: readonly Measurement[], attributes: readonly Attribute[]): number {
  const engine = workbench();
  let sum = 0;
  let weights = 0;
  for (const together of slices(measurements, MOST_CELLS, ({ answers }) => answers.length))
    engine.scratch(() => {
      const placed = engine.placeAll(together.map(({ answers }) => answers));
      const calls = new Calls(engine);
      const weighted: number[] = [];
      for (const [at, { query, sigma2 }] of together.entries()) {
        let next = placed[at];
        for (const { shape, isWhole } of structureOf(query, attributes).partitions) {
          const cells = cellsIn(shape);
          if (isWhole) {
            calls.add("sumCounts", next, cells);
            weighted.push(1 / (cells * sigma2));
          }
          next += 4 * cells;
        }
      }
      for (const [at, counted] of calls.results().entries()) {
        sum += weighted[at] * counted;
        weights += weighted[at];
      }
    });
  return sum / weights;
}
