import { measurementItem, measurementItems } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { structureOf } from "../queries/query.js";
import { TOTAL } from "../queries/total.js";
import { measured } from "./draw.js";
import { sensitivityTerms } from "./problem.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";
import { wholeWeights } from "./weights.js";

/**
 * The number of rows is bought with this fraction (1 ÷ TOTAL_PART) of the budget where it does not follow from anything
 * else.
 */
const TOTAL_PART = 50;

/** The units of the largest weight. The sum of a million of them is exact. */
const MOST_PARTS = 2 ** 32;

/**
 * The whole workload, each query with a share of the budget in proportion to its weight. If the number of rows is
 * neither public nor the sum of some query's answers, it is measured first.
 */
export const atOnce: Selection<unknown> = {
  price(problem) {
    const { workload, budget, attributes } = problem;
    const terms = sensitivityTerms(problem);
    const isSum = workload.some((query) => structureOf(query, attributes).partitions.some(({ isWhole }) => isWhole));
    const isKnown = isSum || budget.publicRows !== undefined;
    const total = isKnown ? [] : [measurementItem(TOTAL, sharesOf(budget.budget, TOTAL_PART)(1), terms)];
    const left = total.reduce((sum, item) => sum - item.share, budget.budget);
    const partOf = wholeWeights(problem, workload, MOST_PARTS);
    const share = sharesOf(left, sumOf(workload.map(partOf)));
    return {
      items: [...total, ...measurementItems(workload, (query) => share(partOf(query)), terms)],
      measured: workload,
      facts: { stages: 1 },
    };
  },
  async *draws({ ledger }) {
    yield* measured(ledger.items.filter(isQueryItem));
  },
};
