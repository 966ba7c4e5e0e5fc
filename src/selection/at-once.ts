import { measurementItem } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { measured } from "./draw.js";
import { termsOf } from "./problem.js";
import { type Selection, sharesOf } from "./selection.js";

/** The whole workload, each query with an equal share of the budget. */
export const atOnce: Selection<unknown> = {
  price(problem) {
    const { workload, budget } = problem;
    const share = sharesOf(budget.budget, workload.length)(1);
    const terms = termsOf(problem);
    return {
      items: workload.map((query) => measurementItem(query, share, terms)),
      measured: workload,
      facts: { stages: 1 },
    };
  },
  async *draws({ ledger }) {
    yield* measured(ledger.items.filter(isQueryItem));
  },
};
