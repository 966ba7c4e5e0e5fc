import { finished } from "../core/progress.js";
import { candidateAt, candidateGroups } from "../privacy/candidates.js";
import { measurementItem, measurementItems, openItem, selectionItem, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { type Query, queryOf } from "../queries/query.js";
import { allPlaces, chosen, measured, placesWhere, scoredBy } from "./draw.js";
import { noiseDistances } from "./noise.js";
import { observationsInRounds, type Problem, sensitivityTerms } from "./problem.js";
import { rareTogether } from "./rare-codes.js";
import { columnsOf, fitOptions, largest, setsOf } from "./rounds.js";
import { type Selection, sharesOf } from "./selection.js";
import { weightOf, wholeWeights } from "./weights.js";

// The selection of MST (McKenna, Miklau and Sheldon, "Winning the NIST Contest: A scalable and general approach to
// differentially private synthetic data", Journal of Privacy and Confidentiality 2021).

/** One-ways, choices and pairs: a third of the budget each. */
const PARTS = 3;

/**
 * One-ways first; then pairs of the workload that connect all its columns to a tree, chosen one by one among those that
 * join two parts of it, by how wrong independent columns are about them, less what noise would explain. (The paper does
 * not take that off, and so connects large columns to one another, whose dependence then drowns in noise.) Codes whose
 * noisy counts are within the noise are one cell of the pairs.
 */
export const spanningTree: Selection<unknown> = {
  price(problem) {
    const { attributes, budget } = problem;
    const terms = sensitivityTerms(problem);
    const oneWays = columnsOf(problem);
    const pairs = [...pairsOf(problem).keys()];
    const candidates = candidateGroups(pairs);
    const edges = edgeCount(pairs, attributes.length);
    const share = sharesOf(budget.budget, (edges ? PARTS : 1) * oneWays.length * (edges || 1));
    const items = measurementItems(oneWays, () => share(edges || 1), terms);
    if (!edges) return { items, measured: oneWays };
    const step = [
      selectionItem(candidates, { score: "aim", picks: 1, isWeighted: true }, share(oneWays.length), terms),
      openItem(candidates, share(oneWays.length), terms),
    ];
    return {
      items: [...items, ...Array.from({ length: edges }, () => step).flat()],
      candidates,
      measured: [...oneWays, ...largest(pairs, edges, attributes)],
    };
  },

  async *draws({ problem, ledger, model, seed, onProgress, signal }) {
    const { items, candidates } = ledger;
    const terms = sensitivityTerms(problem);
    const oneWays = yield* measured(items.filter(isQueryItem), { keep: true });
    if (!candidates.length) return;
    await finished(model.fit(observationsInRounds(problem, oneWays), fitOptions(seed, 0)), { signal });
    const choices = items.flatMap((item, at) => (item.kind === "selection" ? [{ item, open: items[at + 1] }] : []));
    const pairs = candidates.map(({ query }) => query);
    const weights = [...pairsOf(problem).values()];
    const wholeWeightOf = wholeWeights(
      { weights: new Map(pairs.map((pair, at) => [pair, weights[at]])) },
      pairs,
      WEIGHT_ONE,
    );
    const grouped = rareTogether(oneWays);
    const asMeasured = new Map(pairs.map((pair) => [pair, grouped(pair)]));
    const noise = noiseDistances([...asMeasured.values()], choices[0].open.share, terms);
    const biasOf = (pair: Query) => noise(asMeasured.get(pair)!);
    const forest = new Forest(problem.attributes.length);
    for (const [at, { item, open }] of choices.entries()) {
      onProgress?.({ phase: "round", done: at, of: choices.length });
      const left = placesWhere(candidates, allPlaces(candidates), (pair) => forest.joins(pair));
      const among = scoredBy(model, candidates, left, problem.attributes, wholeWeightOf, biasOf);
      const [number] = yield* chosen(item, among);
      const pair = candidateAt(candidates, number);
      forest.join(pair);
      yield* measured([measurementItem(asMeasured.get(pair)!, open.share, terms)], { keep: at + 1 < choices.length });
    }
  },
};

/** Columns that pairs connect to trees. */
class Forest {
  readonly #trees: number[];

  constructor(columns: number) {
    this.#trees = Array.from({ length: columns }, (_, column) => column);
  }

  /** Whether the columns of a pair are in different trees. */
  joins({ columns: [one, other] }: Query): boolean {
    return this.#trees[one] !== this.#trees[other];
  }

  join({ columns: [one, other] }: Query): void {
    const [gone, kept] = [this.#trees[one], this.#trees[other]];
    for (const [column, tree] of this.#trees.entries()) if (tree === gone) this.#trees[column] = kept;
  }
}

/** The pairs of columns that are together in some set, in lexicographic order, and the sum of these sets' weights. */
function pairsOf(problem: Problem<unknown>): ReadonlyMap<Query, number> {
  const { attributes } = problem;
  const sums = new Map<number, number>();
  for (const set of setsOf(problem))
    for (const [at, column] of set.columns.entries())
      for (const other of set.columns.slice(at + 1)) {
        const place = column * attributes.length + other;
        sums.set(place, (sums.get(place) ?? 0) + weightOf(problem, set));
      }
  return new Map(
    [...sums]
      .sort(([one], [other]) => one - other)
      .map(([place, sum]) => {
        const columns = [Math.floor(place / attributes.length), place % attributes.length];
        return [queryOf(columns, attributes), sum];
      }),
  );
}

/** How many pairs a tree has, or the trees have, that connect all columns that pairs can. */
function edgeCount(pairs: readonly Query[], columns: number): number {
  const forest = new Forest(columns);
  const joining = pairs.filter((pair) => {
    const isNew = forest.joins(pair);
    if (isNew) forest.join(pair);
    return isNew;
  });
  return joining.length;
}
