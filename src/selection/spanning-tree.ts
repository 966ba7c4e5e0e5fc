import { finished } from "../core/progress.js";
import type { Attribute } from "../domain/attribute.js";
import { candidateAt, candidateGroups } from "../privacy/candidates.js";
import { measurementItem, measurementItems, openItem, selectionItem, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { type Query, queryOf } from "../queries/query.js";
import { allPlaces, chosen, measured, placesWhere, scoredBy } from "./draw.js";
import { noiseDistances } from "./noise.js";
import { observationsInRounds, sensitivityTerms } from "./problem.js";
import { rareTogether } from "./rare-codes.js";
import { columnsOf, fitOptions, largest, setsOf } from "./rounds.js";
import { type Selection, sharesOf } from "./selection.js";

// The selection of MST (McKenna, Miklau and Sheldon, "Winning the NIST Contest: A scalable and general approach to
// differentially private synthetic data", Journal of Privacy and Confidentiality 2021).

/** One-ways, choices and pairs: a third of the budget each. */
const PARTS = 3;

/**
 * One-ways first; then pairs of the workload that connect all its columns to a tree, chosen one by one among those that
 * join two parts of it, by how wrong independent columns are about them. Codes whose noisy counts are within the noise
 * are one cell of the pairs.
 */
export const spanningTree: Selection<unknown> = {
  price(problem) {
    const { attributes, budget } = problem;
    const terms = sensitivityTerms(problem);
    const oneWays = columnsOf(problem);
    const pairs = pairsOf(setsOf(problem), attributes);
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
    const observed = observationsInRounds(problem, oneWays);
    const grouped = rareTogether(oneWays);
    const places = allPlaces(candidates);
    const forest = new Forest(problem.attributes.length);
    await finished(model.fit(observed, fitOptions(seed, 0)), { signal });
    const choices = items.flatMap((item, at) => (item.kind === "selection" ? [{ item, open: items[at + 1] }] : []));
    const asMeasured = new Map(candidates.map(({ query }) => [query, grouped(query)]));
    const noise = noiseDistances([...asMeasured.values()], choices[0].open.share, terms);
    const biasOf = (pair: Query) => noise(asMeasured.get(pair)!);
    for (const [at, { item, open }] of choices.entries()) {
      onProgress?.({ phase: "round", done: at, of: choices.length });
      const left = placesWhere(candidates, places, (pair) => forest.joins(pair));
      const [number] = yield* chosen(
        item,
        scoredBy(model, candidates, left, problem.attributes, () => WEIGHT_ONE, biasOf),
      );
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

/** The pairs of columns that are together in some set, in lexicographic order. */
function pairsOf(sets: readonly Query[], attributes: readonly Attribute[]): Query[] {
  const pairs = new Map<number, readonly number[]>();
  for (const { columns } of sets)
    for (const [at, column] of columns.entries())
      for (const other of columns.slice(at + 1)) pairs.set(column * attributes.length + other, [column, other]);
  return [...pairs].sort(([one], [other]) => one - other).map(([, columns]) => queryOf(columns, attributes));
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
