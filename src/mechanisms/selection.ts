import { StandinError } from "../core/errors.js";
import type { BudgetTerms, Ledger, Schedule } from "../privacy/plan.js";
import { type Query, queryOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { aimRounds, aimSchedule } from "./aim.js";
import type { Rounds, SelectionOptions } from "./mechanism.js";

/** The whole budget in the units of weights. */
const WHOLE = 2 ** 40;
/** What of the budget buys noisy one-ways, which the first rows are drawn from, and what of the rest buys choices. */
const ONE_WAYS = 0.1;
const SELECTION = 0.3;
/** More rounds than this take long and choose hardly better; each then chooses several. */
const MOST_ROUNDS = 50;
/** Of a workload with more queries a column than this, this many stand for all: others would tell little that is new. */
const QUERIES_PER_COLUMN = 10;

/**
 * The rounds for a workload, or nothing where all of it is measured: where that or a number of stages is asked for, and, unless a selection
 * is, where no query has three columns or the rule below would measure them all. Noisy one-ways come first. A rule on public facts alone.
 * @throws {StandinError} `options/selection`, `options/rounds`, `options/stages`
 */
export function scheduleRounds(
  workload: readonly Query[],
  attributes: readonly Attribute[],
  budget: BudgetTerms,
  asked: SelectionOptions,
): Schedule | undefined {
  const { selection, rounds, perRound, stages } = asked;
  for (const [name, value] of Object.entries({ rounds, perRound }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new StandinError("options/rounds", `${name} is ${value}.`, "Ask for a whole number from 1.");
  if (selection !== undefined && !["none", "max", "l1", "aim"].includes(selection))
    throw new StandinError("options/selection", `"${selection}" is no selection.`, "Use max, l1, aim or none.");
  const isAsked = selection !== undefined || rounds !== undefined || perRound !== undefined;
  const hasTriples = workload.some(({ columns }) => columns.length > 2);
  if (selection === "none" || (!isAsked && (stages !== undefined || !hasTriples))) {
    if (rounds ?? perRound)
      throw new StandinError("options/rounds", "Without a selection there are no rounds.", "Leave one of them out.");
    return undefined;
  }
  if (stages !== undefined)
    throw new StandinError(
      "options/stages",
      "Rounds measure one choice after the other, not the workload in stages.",
      "Leave the stages out, or the selection and its rounds.",
    );
  const candidates = workload.filter(({ columns }) => columns.length > 1);
  if (!candidates.length) {
    if (!isAsked) return undefined;
    throw new StandinError(
      "options/selection",
      "The workload has no set of two columns or more, so there is nothing to choose.",
      "Leave the selection out.",
    );
  }
  const oneWays = [...new Set(workload.flatMap(({ columns }) => columns))]
    .sort((a, b) => a - b)
    .map((column) => queryOf([column], attributes));
  if (selection === "aim") {
    if (rounds ?? perRound)
      throw new StandinError(
        "options/rounds",
        "AIM's rounds follow from noisy answers and cannot be asked for.",
        "Leave rounds and per-round out, or use the selection max or l1.",
      );
    return aimSchedule(candidates, oneWays, attributes);
  }
  const [count, picks] = roundsFor(candidates.length, oneWays.length, budget.epsilon, asked);
  if (count * picks > candidates.length)
    throw new StandinError(
      "options/rounds",
      `${count} rounds of ${picks} would choose ${count * picks} of ${candidates.length} column sets.`,
      "Ask for fewer, or for no selection: all are then measured at once.",
    );
  if (!isAsked && count * picks === candidates.length) return undefined;
  const part = (share: number, among: number) => Math.max(1, Math.round((WHOLE * share) / among));
  return {
    first: oneWays.map((query) => ({ query, weight: part(ONE_WAYS, oneWays.length) })),
    rounds: {
      score: selection ?? "max",
      candidates,
      count,
      picks,
      selectionWeight: part((1 - ONE_WAYS) * SELECTION, count),
      measurementWeight: part((1 - ONE_WAYS) * (1 - SELECTION), count * picks),
    },
  };
}

/**
 * How many rounds, and how many choices in each, unless asked otherwise: ¾ √ε of the queries in all. Fitted to real tables
 * (bench/adaptive.md): fewer leave errors unfound, more drown in noise.
 */
function roundsFor(
  among: number,
  columns: number,
  epsilon: number,
  { rounds, perRound }: SelectionOptions,
): [number, number] {
  if (rounds !== undefined) return [rounds, perRound ?? 1];
  const telling = Math.min(among, QUERIES_PER_COLUMN * columns);
  // ε may be 0 where δ says it all.
  const measured = Math.min(among, Math.max(1, Math.ceil(0.75 * telling * Math.sqrt(epsilon))));
  const picks = perRound ?? Math.ceil(measured / MOST_ROUNDS);
  return [Math.max(1, Math.floor(measured / picks)), picks];
}

/** Who decides the rounds of a plan: the plan itself, or the rule that its cap is for. */
export function roundsOf(ledger: Ledger, workload: readonly Query[], attributes: readonly Attribute[]): Rounds {
  return ledger.cap === undefined ? plannedRounds(ledger) : aimRounds(ledger, workload, attributes);
}

/** The rounds as planned; what one has chosen is no candidate of the next. */
function plannedRounds({ items, candidates }: Ledger): Rounds {
  const selections = items.flatMap((item, at) => (item.kind === "selection" ? [{ item, at }] : []));
  const left = new Set(candidates.keys());
  const numbers = new Map(candidates.map((query, number) => [query, number]));
  let round = 0;
  return {
    count: selections.length,
    next({ chosen }) {
      for (const query of chosen) left.delete(numbers.get(query)!);
      const { item, at } = selections[round++];
      return {
        item,
        candidates: [...left].map((number) => ({ number, weight: 1, bias: 0n })),
        measurementShare: items[at + 1].share,
        isLast: round === selections.length,
      };
    },
  };
}
