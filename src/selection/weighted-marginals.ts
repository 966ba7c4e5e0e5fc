import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import { Components } from "../estimate/components.js";
import { costOf, measurementItems, sigma2Of } from "../privacy/items.js";
import { isQueryItem, type Price } from "../privacy/ledger.js";
import { centredColumns, interactionIn, scaleOf } from "../queries/interaction.js";
import { cellsOf, type Query, queryOf } from "../queries/query.js";
import { TOTAL } from "../queries/total.js";
import { measured } from "./draw.js";
import { type Problem, sensitivityTerms } from "./problem.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";
import { bestParts, leastError, type WeightedSet } from "./strategy.js";
import { weightOf } from "./weights.js";

/** The whole budget in the units of parts. */
const WHOLE = 2 ** 40;
/** More components than this would take seconds to compare. */
const MOST_COMPONENTS = 2 ** 20;

/**
 * What has the least sum of squared errors for the workload, weighted by its weights, measured at once: the interaction
 * of each set of columns within those of the workload, down to the number of rows. It follows from public facts alone,
 * and so does the expected error (`expectedErrors`).
 */
export const weightedMarginals: Selection<unknown> = {
  price(problem) {
    const [workload, components] = askedOf(problem);
    const terms = sensitivityTerms(problem);
    const tables = tablesOf(components, problem);
    const candidates = tables.map((query) => ({
      ...{ columns: query.columns, centred: centredColumns(query), cost: costOf(query, terms) },
    }));
    const parts = bestParts(candidates, workload, components);
    const queries = tables.filter((_, at) => parts[at]);
    const units = parts.filter((part) => part).map((part) => Math.max(1, Math.round(WHOLE * part)));
    const share = sharesOf(problem.budget.budget, sumOf(units));
    const items = measurementItems(queries, (_, at) => share(units[at]), terms);
    return { items, measured: queries, facts: { stages: 1 } };
  },
  async *draws({ ledger }) {
    yield* measured(ledger.items.filter(isQueryItem));
  },
};

/**
 * What may be measured of each component that anything depends on, smaller ones first. Rows that are replaced change
 * the number of rows in no set of columns: there, whole tables may be worth more than their interactions.
 */
function tablesOf({ sets, degrees }: Components, { attributes, budget }: Problem<unknown>): Query[] {
  return sets
    .filter((_, at) => degrees[at])
    .sort((a, b) => a.length - b.length)
    .flatMap((columns) => {
      if (!columns.length) return TOTAL;
      const table = queryOf(columns, attributes);
      const interaction = interactionIn(table, attributes);
      return interaction ? [interaction, ...(budget.neighbours === "replace" ? [table] : [])] : table;
    });
}

/** Errors that are known before any data is seen, in rows: of answers by least squares from all noisy ones. */
export interface ExpectedErrors {
  /** For each marginal of the workload, the standard deviation of a cell. */
  readonly marginals: readonly {
    readonly columns: readonly number[];
    readonly cells: number;
    readonly sigma: number;
  }[];
  /** The root of the mean square over all cells, each with the weight of its marginal. */
  readonly rms: number;
  /** The least that Gaussian noise can have at this price, whatever is measured. */
  readonly least: number;
}

export function expectedErrors(problem: Problem<unknown>, { items }: Pick<Price, "items">): ExpectedErrors {
  const { attributes } = problem;
  const [workload, components] = askedOf(problem);
  const terms = sensitivityTerms(problem);
  const tables = items.filter(isQueryItem).map((item) => ({
    ...{ columns: item.query.columns, centred: centredColumns(item.query) },
    ...{ sigma2: sigma2Of(item) / scaleOf(item) ** 2, cost: costOf(item.query, terms) },
  }));
  const precisions = components.precisions(tables);
  const marginals = problem.workload.map((query) => ({
    columns: query.columns,
    cells: cellsOf(query, attributes),
    sigma: Math.sqrt(components.variance(query.columns, precisions)),
  }));
  const weighted = (of: (at: number) => number) => sumOf(workload.map(({ weight }, at) => weight * of(at)));
  const cells = weighted((at) => marginals[at].cells);
  const precision = sumOf(tables.map(({ cost, sigma2 }) => cost / sigma2));
  return {
    marginals,
    rms: Math.sqrt(weighted((at) => marginals[at].cells * marginals[at].sigma ** 2) / cells),
    least: Math.sqrt(leastError(workload, components) / precision / cells),
  };
}

/** @throws {StandinError} `workload/too-large` */
function askedOf(problem: Problem<unknown>): [readonly WeightedSet[], Components] {
  const { workload, attributes, budget } = problem;
  const asked = workload.map((query) => ({ columns: query.columns, weight: weightOf(problem, query) }));
  const sets = asked.map(({ columns }) => columns);
  const count = sets.reduce((sum, { length }) => sum + 2 ** length, 0);
  if (count > MOST_COMPONENTS)
    throw new StandinError(
      "workload/too-large",
      `The sets of the workload have ${thousands(count)} subsets; at most ${thousands(MOST_COMPONENTS)} can be compared.`,
      "Use fewer or smaller sets of columns.",
    );
  const sizes = attributes.map(({ size }) => size);
  return [asked, new Components(sets, sizes, budget.publicRows !== undefined)];
}
