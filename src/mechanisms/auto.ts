import { Components } from "../estimate/components.js";
import { sigma2Of } from "../privacy/items.js";
import { isQueryItem, type Price } from "../privacy/ledger.js";
import { atOnce } from "../selection/at-once.js";
import type { Problem } from "../selection/problem.js";
import { sumOf } from "../selection/selection.js";
import { cellsIn, cellsOfAll } from "./graphical.js";
import type { MechanismName } from "./options.js";
import { pgm } from "./pgm.js";

/** What `auto` picks for a problem, and why, worded to follow "because". */
export interface Pick {
  readonly name: MechanismName;
  readonly reason: string;
}

/** From this ρ on (ε = 5 or so), fits of graphical models end above the noise. */
const LARGE_RHO = 0.4;
/** Up to this ρ (ε = 2 or so), AIM makes few rounds, and its model stays small. */
const SMALL_RHO = 0.05;
/** Above this expected total variation distance, answers to the whole workload would be mostly noise. */
const NOISY = 0.17;
/** √(2/π) ÷ 2: half of the mean absolute value of noise with a standard deviation of 1. */
const HALF_ABSOLUTE = 0.3989;
/** A fit takes minutes where the model's tables have more cells than this, times the number of sets. */
const MOST_WORK = 1e8;
/** The number of rows that the rule assumes where it is private. */
const ROWS = 50_000;

/**
 * The mean total variation distance of answers from the true ones, over the sets, if all are measured and made
 * consistent: that leaves the noise in as many directions as consistent answers can differ in.
 * @param rows of the table
 */
function noiseOf({ items }: Price, sizes: readonly number[], rows: number): number {
  const sets = items.filter(isQueryItem).filter(({ query }) => query.columns.length);
  const cells = sumOf(sets.map((item) => item.cells));
  const noise = sumOf(sets.map((item) => item.cells * Math.sqrt(sigma2Of(item)))) / sets.length;
  const columns = sets.map(({ query }) => query.columns);
  const free = sumOf(new Components(columns, sizes, false).degrees);
  return (HALF_ABSOLUTE * noise * Math.sqrt(Math.min(1, free / cells))) / rows;
}

/**
 * The mechanism that is expected to answer a workload with the smallest mean error, by a rule that uses public facts
 * only. Fitted to `bench/auto.bench.ts`.
 */
export function picked(problem: Problem<unknown>): Pick {
  const { workload, budget, publicTable, target, attributes } = problem;
  const byDefault = (reason: string): Pick => ({ name: "private-gsd", reason });
  if (publicTable) return byDefault("there are public rows");
  if (target !== undefined) return byDefault("there is a target");
  if (!workload.every(({ kind }) => kind === "marginal"))
    return byDefault("the workload has queries other than marginals");
  if (workload.every(({ columns }) => columns.length < 3)) return byDefault("no set of the workload has three columns");
  if (budget.rho > LARGE_RHO) return byDefault("the budget is large");
  const price = atOnce.price(problem);
  const sizes = attributes.map(({ size }) => size);
  if (budget.rho <= SMALL_RHO && noiseOf(price, sizes, budget.publicRows ?? ROWS) > NOISY)
    return { name: "aim", reason: "the whole workload would be mostly noise" };
  const cells = cellsOfAll(price, sizes);
  if (cells > cellsIn(pgm.options({})) || cells * workload.length > MOST_WORK)
    return byDefault("a graphical model of the whole workload would be too large");
  return { name: "pgm", reason: "a graphical model of the whole workload is small enough" };
}
