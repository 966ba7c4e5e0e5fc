import type { Attribute } from "../domain/attribute.js";
import { estimateTotal } from "../estimate/total.js";
import type { Observations, PublicTable } from "../models/model.js";
import type { Unit } from "../privacy/accounting.js";
import type { SensitivityTerms } from "../privacy/items.js";
import type { CheckedBudget } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";

/** The problem that a mechanism has to solve. All of it is public and known before any data is seen. */
export interface Problem<Options> {
  readonly attributes: readonly Attribute[];
  /** The queries that the rows should answer accurately. */
  readonly workload: readonly Query[];
  /** How much each of them matters, above 0, unless all matter the same. */
  readonly weights?: ReadonlyMap<Query, number>;
  /** The place of the column that the rows should predict well, if there is one: sets of the workload have it added. */
  readonly target?: number;
  readonly budget: CheckedBudget;
  readonly unit: Unit;
  readonly publicTable?: PublicTable;
  /** The mechanism's own options, checked. */
  readonly options: Options;
}

/** How many columns a query has besides the target. */
export const orderOf = ({ columns }: Query, { target }: Pick<Problem<unknown>, "target">): number =>
  columns.reduce((count, column) => count + Number(column !== target), 0);

/** Everything that determines sensitivities. */
export const sensitivityTerms = ({
  attributes,
  budget,
  unit,
}: Pick<Problem<unknown>, "attributes" | "budget" | "unit">): SensitivityTerms => ({
  schema: { attributes },
  neighbours: budget.neighbours,
  unit,
});

/** The observations that rounds fit a model to. */
export function observationsInRounds(problem: Problem<unknown>, measurements: readonly Measurement[]): Observations {
  return { measurements, total: Math.max(1, totalOf(problem, measurements)), adaptive: true };
}

/** N̂ or the declared n. N̂ may be below 1 where the noise is larger than the table. */
export function totalOf(
  { attributes, budget }: Pick<Problem<unknown>, "attributes" | "budget">,
  measurements: readonly Measurement[],
): number {
  return budget.publicRows ?? estimateTotal(measurements, attributes);
}
