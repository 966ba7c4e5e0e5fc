import { finished } from "../core/progress.js";
import type { Attribute } from "../domain/attribute.js";
import { workbench } from "../engine/workbench.js";
import type { Model } from "../models/model.js";
import { candidateAt, candidateGroups } from "../privacy/candidates.js";
import { measurementItem, measurementItems, openItem, selectionItem, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query, queryOf } from "../queries/query.js";
import { allPlaces, chosen, measured, placesWhere, scoredBy } from "./draw.js";
import { allOf, type Limit } from "./limit.js";
import { noiseDistances } from "./noise.js";
import { observationsInRounds, type Problem, sensitivityTerms } from "./problem.js";
import { columnsOf, fitOptions, largest, setsOf } from "./rounds.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";
import { weightOf } from "./weights.js";

// AIM's selection (McKenna, Mullins, Sheldon and Miklau, "AIM: An Adaptive and Iterative Mechanism for Differentially
// Private Synthetic Data", VLDB 2022, Algorithm 4). AIM fits a graphical model; here the selection works with any
// model.

/** The number of rounds per column that the budget would pay for at the first round's shares. */
const ROUNDS_PER_COLUMN = 16;
/** Of a round's share, one tenth pays for the choice and nine tenths for the measurement. */
const [SELECTION_PARTS, MEASUREMENT_PARTS] = [1, 9] as const;
/** How choices are made. */
const SCORE = { score: "aim", isWeighted: true } as const;
const ROUND_PARTS = SELECTION_PARTS + MEASUREMENT_PARTS;
/** Where the number of rounds is fixed, the one-ways get one part in so many of the budget. */
const ONE_WAYS_PART = 10;
/** A round then compares at most about so many candidates, with so many cells: of more, other ones each round. */
const COMPARED = 500;
const COMPARED_CELLS = 200_000;

/**
 * All one-way marginals first, then rounds that choose among all sets of two or more columns that are contained in a
 * set of the workload. A round has the same share as the one before, four times as much where that one taught nothing
 * beyond its noise, and everything that is left in the last round. A set that was chosen may be chosen again, with less
 * noise.
 */
export const aim = aimWithin({ limit: () => allOf, rounds: () => undefined });

/**
 * @param rule which candidates rounds may choose, and how many rounds there are, each with the same share, if noisy
 * answers do not decide that
 */
export function aimWithin<Options>({
  limit,
  rounds,
}: {
  limit(problem: Problem<Options>): Limit;
  rounds(problem: Problem<Options>): number | undefined;
}): Selection<Options> {
  return {
    price(problem) {
      const { attributes, budget } = problem;
      const terms = sensitivityTerms(problem);
      const oneWays = columnsOf(problem);
      const queries = closureOf(setsOf(problem), attributes);
      const candidates = candidateGroups(queries);
      const fixed = rounds(problem);
      const lasting = fixed ?? ROUNDS_PER_COLUMN * oneWays.length;
      const cap = fixed === undefined ? undefined : budget.budget - budget.budget / BigInt(ONE_WAYS_PART);
      const share = sharesOf(cap ?? budget.budget, ROUND_PARTS * lasting);
      const oneWay = cap ? (budget.budget - cap) / BigInt(oneWays.length) : share(MEASUREMENT_PARTS);
      return {
        items: measurementItems(oneWays, () => oneWay, terms),
        ruled: {
          cap: cap ?? share(ROUND_PARTS * lasting - MEASUREMENT_PARTS * oneWays.length),
          rule: fixed ? fixedRule(fixed) : RULE,
          shown: [
            selectionItem(candidates, { ...SCORE, picks: 1 }, share(SELECTION_PARTS), terms),
            openItem(candidates, share(MEASUREMENT_PARTS), terms),
          ],
          isWhole: false,
        },
        candidates,
        measured: [...oneWays, ...largest(queries, lasting, attributes)],
      };
    },

    async *draws({ problem, ledger, model, seed, onProgress, signal }) {
      const { candidates } = ledger;
      const terms = sensitivityTerms(problem);
      const queries = candidates.map(({ query }) => query);
      const relative = relativeWeights(queries, problem);
      let [selection, measurement] = ledger.shown.map(({ share }) => share);
      let left = ledger.cap!;
      const within = limit(problem);
      const isFixed = rounds(problem) !== undefined;
      const turns = isFixed ? turnsOf(queries, problem.attributes) : 1;
      let last: LastRound | undefined;
      const measurements = [...(yield* measured(ledger.items.filter(isQueryItem), { keep: true }))];
      for (let round = 0; left > 0n; round++) {
        onProgress?.({ phase: "round", done: round, of: undefined });
        await finished(model.fit(observationsInRounds(problem, measurements), fitOptions(seed, round)), { signal });
        if (
          !isFixed &&
          last &&
          (await taughtNothing(last, model, noiseDistances([last.query], measurement, terms)(last.query)))
        ) {
          selection *= 4n;
          measurement *= 4n;
        }
        if (left < 2n * (selection + measurement)) {
          selection = (left * BigInt(SELECTION_PARTS)) / BigInt(ROUND_PARTS);
          measurement = left - selection;
        }
        left -= selection + measurement;
        const item = selectionItem(candidates, { ...SCORE, picks: 1 }, selection, terms);
        const some = queries.filter((_, at) => at % turns === round % turns);
        const open = new Set(within(some, asked(measurements), 1 - Number(left) / Number(ledger.budget)));
        const places = placesWhere(candidates, allPlaces(candidates), (query) => open.has(query));
        const biasOf = noiseDistances(queries, measurement, terms);
        const among = scoredBy(model, candidates, places, problem.attributes, relative, biasOf);
        const [number] = yield* chosen(item, among);
        const query = candidateAt(candidates, number);
        last = { query, before: (await model.answers([query]))[0] };
        measurements.push(...(yield* measured([measurementItem(query, measurement, terms)], { keep: left > 0n })));
      }
    },
  };
}

/** How many rounds it takes to compare all candidates once. */
function turnsOf(queries: readonly Query[], attributes: readonly Attribute[]): number {
  const cells = sumOf(queries.map((query) => cellsOf(query, attributes)));
  return Math.ceil(Math.max(queries.length / COMPARED, cells / COMPARED_CELLS));
}

const asked = (measurements: readonly Measurement[]) => measurements.map(({ query }) => query);

/** What the last round measured, and the model's answers before. */
interface LastRound {
  readonly query: Query;
  readonly before: Int32Array;
}

/** Whether a round has changed the model's answers by no more than the noise. */
const taughtNothing = async ({ query, before }: LastRound, model: Model, noise: number): Promise<boolean> =>
  distance((await model.answers([query]))[0], before) <= noise;

/** The workload, and all subsets of its sets with two or more columns, in lexicographic order of the column indices. */
function closureOf(workload: readonly Query[], attributes: readonly Attribute[]): Query[] {
  const sets = new Map<string, number[]>();
  const add = (columns: number[]) => {
    if (columns.length < 2 || sets.has(columns.join())) return;
    sets.set(columns.join(), columns);
    for (const column of columns) add(columns.filter((other) => other !== column));
  };
  for (const { columns } of workload) add([...columns]);
  return [...sets.values()].sort(lexicographic).map((columns) => queryOf(columns, attributes));
}

function lexicographic(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((column, place) => column !== b[place]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
}

const RULE =
  "Rounds annealed as in AIM (McKenna et al. 2022): each has the noise of the one before, or half of " +
  "it, at four times the cost, if that one revealed no more than its noise, until the cap is spent.";

const fixedRule = (rounds: number) =>
  `${rounds} rounds, each with the same noise, that choose as those of AIM do (McKenna et al. 2022).`;

/**
 * For each candidate, the number of columns that it shares with the workload's sets, summed over the sets by their
 * weights, in units in which the largest such sum is 1.
 */
function relativeWeights(
  candidates: readonly Query[],
  problem: Pick<Problem<unknown>, "attributes" | "workload" | "weights">,
): (query: Query) => number {
  const degrees = problem.attributes.map(() => 0);
  for (const query of problem.workload) for (const column of query.columns) degrees[column] += weightOf(problem, query);
  const shared = ({ columns }: Query) => columns.reduce((sum, column) => sum + degrees[column], 0);
  const most = candidates.reduce((most, query) => Math.max(most, shared(query)), 0);
  return (query) => Math.floor((shared(query) / most) * WEIGHT_ONE);
}

function distance(a: Int32Array, b: Int32Array): number {
  const instance = workbench();
  return instance.scratch(() => instance.exports.countDistance(instance.place(a), instance.place(b), a.length));
}
