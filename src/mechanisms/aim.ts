import { measurementItem, scoreKind, selectionItem, sigma2Of } from "../privacy/items.js";
import type { Ledger, Schedule } from "../privacy/plan.js";
import { type Query, queryOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { RoundCandidate, Rounds } from "./mechanism.js";

// AIM's selection (McKenna, Mullins, Sheldon and Miklau, "AIM: An Adaptive and Iterative Mechanism for Differentially Private Synthetic
// Data", VLDB 2022, Algorithm 4). Its projection is a graphical model; here it serves any.

/** Rounds per column for which the first round's shares would last. */
const ROUNDS_PER_COLUMN = 16;
/** Of a round's share, one part of ten is for the choice and nine are for the measurement. */
const [SELECTION_PARTS, MEASUREMENT_PARTS] = [1, 9] as const;

/**
 * All one-ways first, then rounds that choose among all sets of two and more columns that lie in a set of the workload. A round has the
 * share of its predecessor, four times as much where that taught nothing beyond its noise, and all that is left at the end.
 */
export function aimSchedule(
  workload: readonly Query[],
  oneWays: readonly Query[],
  attributes: readonly Attribute[],
): Schedule {
  const candidates = closureOf(workload, attributes);
  const lasting = ROUNDS_PER_COLUMN * oneWays.length;
  const weight = (SELECTION_PARTS + MEASUREMENT_PARTS) * lasting - MEASUREMENT_PARTS * oneWays.length;
  return {
    first: oneWays.map((query) => ({ query, weight: MEASUREMENT_PARTS })),
    rounds: {
      score: "aim",
      candidates,
      count: lasting,
      picks: 1,
      selectionWeight: SELECTION_PARTS,
      measurementWeight: MEASUREMENT_PARTS,
      weight,
      rule: RULE,
    },
  };
}

/** The workload, and all of its sets' subsets of two or more columns, in lexicographic order of the columns' places. */
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

/**
 * The rounds, decided by what the last one taught: candidates are compared by w_r·(‖c − t‖₁ − √(2/π)·σ·n_r), where w_r counts the
 * columns that the candidate shares with the workload's sets, σ is the noise of the measurement to come and n_r the candidate's cells.
 * What was chosen may be chosen again, with less noise.
 */
export function aimRounds(ledger: Ledger, workload: readonly Query[], attributes: readonly Attribute[]): Rounds {
  const terms = { schema: { attributes }, neighbours: ledger.neighbours, unit: ledger.unit };
  const weights = relativeWeights(ledger.candidates, workload, attributes);
  const at = ledger.items.findIndex(({ kind }) => kind === "selection");
  let [selection, measurement] = [ledger.items[at].share, ledger.items[at + 1].share];
  let left = ledger.cap!;
  return {
    next({ chosen: [chosen], answers, before }) {
      if (chosen && distance(answers(chosen), before(chosen)) <= noiseDistance(chosen, measurement)) {
        selection *= 4n;
        measurement *= 4n;
      }
      const isLast = left < 2n * (selection + measurement);
      if (isLast) {
        selection = (left * BigInt(SELECTION_PARTS)) / BigInt(SELECTION_PARTS + MEASUREMENT_PARTS);
        measurement = left - selection;
      }
      left -= selection + measurement;
      return {
        item: selectionItem(ledger.candidates, { score: "aim", picks: 1 }, selection, terms),
        candidates: candidatesFor(measurement),
        measurementShare: measurement,
        isLast,
      };
    },
  };

  /** √(2/π)·σ·n: the L1 distance that noise alone makes, where a measurement has this share. */
  function noiseDistance(query: Query, share: bigint): number {
    const item = measurementItem(query, share, terms);
    return Math.sqrt((2 / Math.PI) * sigma2Of(item)) * item.cells;
  }

  function candidatesFor(share: bigint): RoundCandidate[] {
    return ledger.candidates.map((query, number) => {
      const weight = Math.floor(weights[number] * UNIT);
      return { number, weight, bias: BigInt(Math.round(weight * noiseDistance(query, share))) };
    });
  }
}

const RULE =
  "Rounds as AIM anneals them (McKenna et al. 2022): each as the first, at half the noise and four times the price where the last " +
  "one taught no more than its noise, until the cap is spent.";

/** The units of weights. */
const UNIT = 2 ** scoreKind("aim").scaleBits;

/** For each candidate the columns that it shares with the workload's sets, all sets together, divided by the largest such number. */
function relativeWeights(
  candidates: readonly Query[],
  workload: readonly Query[],
  attributes: readonly Attribute[],
): number[] {
  const degrees = attributes.map(() => 0);
  for (const { columns } of workload) for (const column of columns) degrees[column]++;
  const shared = candidates.map(({ columns }) => columns.reduce((sum, column) => sum + degrees[column], 0));
  const most = shared.reduce((a, b) => Math.max(a, b), 0);
  return shared.map((count) => count / most);
}

function distance(a: Int32Array, b: Int32Array): number {
  return a.reduce((sum, value, cell) => sum + Math.abs(value - b[cell]), 0);
}
