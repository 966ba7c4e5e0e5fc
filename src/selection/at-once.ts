import { measurementItem } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { structureOf } from "../queries/query.js";
import { TOTAL } from "../queries/total.js";
import { measured } from "./draw.js";
import { sensitivityTerms } from "./problem.js";
import { type Selection, sharesOf } from "./selection.js";

/** The part of the budget, one of so many, that buys the number of rows where it follows from nothing else. */
const TOTAL_PART = 50;

/**
 * The whole workload, each query with an equal share of the budget; before it the number of rows, where it is neither
 * public nor a sum.
 */
export const atOnce: Selection<unknown> = {
  price(problem) {
    const { workload, budget, attributes } = problem;
    const terms = sensitivityTerms(problem);
    const isSum = workload.some((query) => structureOf(query, attributes).partitions.some(({ isWhole }) => isWhole));
    const isKnown = isSum || budget.publicRows !== undefined;
    const total = isKnown ? [] : [measurementItem(TOTAL, sharesOf(budget.budget, TOTAL_PART)(1), terms)];
    const left = total.reduce((sum, item) => sum - item.share, budget.budget);
    const share = sharesOf(left, workload.length)(1);
    return {
      items: [...total, ...workload.map((query) => measurementItem(query, share, terms))],
      measured: workload,
      facts: { stages: 1 },
    };
  },
  async *draws({ ledger }) {
    yield* measured(ledger.items.filter(isQueryItem));
  },
};
