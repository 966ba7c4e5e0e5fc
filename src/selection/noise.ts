import { squaredSensitivity, type Unit } from "../privacy/accounting.js";
import { measurementItems, type SensitivityTerms, sigma2Of } from "../privacy/items.js";
import type { CheckedBudget } from "../privacy/ledger.js";
import type { Query } from "../queries/query.js";

/** √(2/π)·σ·n: the L1 distance of a query's answers that is expected from noise alone, with this share. */
export function noiseDistances(
  queries: readonly Query[],
  share: bigint,
  terms: SensitivityTerms,
): (query: Query) => number {
  const items = measurementItems(queries, () => share, terms);
  const distances = new Map(
    items.map((item) => [item.query, Math.sqrt((2 / Math.PI) * sigma2Of(item)) * item.cells] as const),
  );
  return (query) => distances.get(query)!;
}

/** σ = Δ·√(tables ÷ 2ρ): the noise on each cell of tables of so many partitions that share the budget evenly. */
export function sigmaOfEach(
  partitions: number,
  tables: number,
  { rho, neighbours }: Pick<CheckedBudget, "rho" | "neighbours">,
  unit: Unit,
): number {
  return Math.sqrt((Number(squaredSensitivity({ partitions, free: 0 }, neighbours, unit)) * tables) / (2 * rho));
}
