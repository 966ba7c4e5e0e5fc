// Adaptive releases, as several benches run them.
import { measure, type PlanOptions, plan, resample, type Schema, type Table } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { mean, noiseKey } from "./tables.js";

/**
 * The largest error of any cell over the workload, and the mean error, averaged over the seeds, and the shortest time
 * of a run; replace, δ = 1/n².
 */
export async function tried(schema: Schema, table: Table, options: PlanOptions, seeds: number) {
  const planned = plan(schema, { delta: "1/n2", neighbours: "replace", publicRows: table.length, ...options });
  const errors: number[] = [];
  const means: number[] = [];
  let seconds = Number.POSITIVE_INFINITY;
  for (let seed = 0; seed < seeds; seed++) {
    const start = performance.now();
    const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
    const made = await resample(release);
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
    const { maxError, meanError } = nonPrivateQueryErrors(table, made.table, schema, options.workload);
    errors.push(maxError);
    means.push(meanError);
  }
  return { error: mean(errors), meanError: mean(means), seconds };
}

/** ρ for ε and δ = 1/n² by the bound ε = ρ + 2 √(ρ ln 1/δ), which the papers use: less than the package's own. */
export function simpleRho(epsilon: number, rows: number): number {
  const log = 2 * Math.log(rows);
  return (Math.sqrt(log + epsilon) - Math.sqrt(log)) ** 2;
}
