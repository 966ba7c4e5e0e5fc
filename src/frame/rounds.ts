import { breathe, type OnProgress } from "../core/progress.js";
import { estimateTotal } from "../estimate/total.js";
import type { Expected, Round, SharedQuery } from "../mechanisms/mechanism.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import { roundsOf } from "../mechanisms/selection.js";
import type { Door } from "../privacy/door.js";
import { measurementItem, type QueryItem, type SelectionItem, selectionItem, type Terms } from "../privacy/items.js";
import { isQueryItem } from "../privacy/plan.js";
import type { ReleasedItem } from "../privacy/release.js";
import { SyntheticAnswers } from "../projection/answers.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import { Journal } from "./journal.js";
import type { Plan } from "./plan.js";

/** Rounds search this many rows: as many as the paper (Liu et al. 2023, Table 7), enough to tell what is most wrong. */
const ROUND_ROWS = 2000;

/** How often the measuring of one query after the other lets the host breathe. */
const BREATH = 64;

/** How many of the queries to come are told in advance. */
const AHEAD = 16;

/** Parts of a cap are whole multiples of 2^−40, rounded down. */
const PART_BITS = 40;

export interface RoundsInput {
  readonly plan: Plan;
  readonly door: Door;
  /** What an earlier run of the same plan has drawn: taken as it is. */
  readonly drawn: readonly ReleasedItem[];
  /** The search seed, 32 bits. */
  readonly seed: number;
  /**
   * Told of everything drawn so far, after the first queries and after every round but the last: from there on where
   * the earlier run stopped, before anything is drawn.
   */
  readonly onDrawn: (items: readonly ReleasedItem[]) => void | Promise<void>;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/**
 * Draws all items of a plan. Its first queries are measured; then, in every round, rows are searched that answer like everything
 * measured so far, from the rows of the round before; the mechanism's selection chooses, through the door, which candidates they are
 * most wrong about; and these are measured (the adaptive measurements of Liu, Vietri and Wu, "Iterative Methods for Private
 * Synthetic Data", NeurIPS 2021, Algorithm 1). A plan without rounds ends with its first queries.
 */
export async function drawItems(input: RoundsInput): Promise<readonly ReleasedItem[]> {
  const { plan, door, drawn, onProgress, signal } = input;
  const journal = new Journal(door, drawn, plan.schema);
  const first = plan.ledger.items.filter(isQueryItem);
  const planned = first.length + plan.ledger.second.length;
  const measureAll = async (items: readonly QueryItem[]) => {
    for (const [at, item] of items.entries()) {
      const { length } = journal.items;
      if (length % BREATH === 0) {
        onProgress?.({ phase: "measure", done: Math.min(length, planned), of: planned });
        await breathe(signal);
      }
      await journal.measure(item, items.slice(at + 1, at + 1 + AHEAD));
    }
  };
  await measureAll(first);
  if (plan.ledger.second.length) await drawSecondStage(plan, journal, measureAll);
  onProgress?.({ phase: "measure", done: planned, of: planned });
  if (first.length < plan.ledger.items.length) await drawRounds(input, journal);
  return journal.items;
}

/** Draws the second stage, each of its steps decided from the noisy answers and choices before it. */
async function drawSecondStage(
  plan: Plan,
  journal: Journal,
  measureAll: (items: readonly QueryItem[]) => Promise<void>,
): Promise<void> {
  const { ledger, workload } = plan;
  const { attributes } = plan.schema;
  const { candidates } = ledger;
  const measurements = [...journal.measurements];
  const total = Math.max(1, totalOf(plan, measurements));
  const left = Number(ledger.cap) / Number(ledger.budget);
  const first = { workload, candidates, attributes, measurements, total, left };
  const { oneWays, choice, tables } = mechanismNamed(plan.mechanism).secondStage!(first);
  const shareOf = (part: number) => (ledger.cap! * BigInt(Math.floor(part * 2 ** PART_BITS))) >> BigInt(PART_BITS);
  const measureShared = (shared: readonly SharedQuery[]) =>
    measureAll(shared.map(({ query, share }) => measurementItem(query, shareOf(share), termsOf(plan))));
  await measureShared(oneWays);
  let chosen = candidates;
  if (choice) {
    const item = selectionItem(candidates, { score: "aim", picks: choice.picks }, shareOf(choice.share), termsOf(plan));
    chosen = await choose(plan, journal, item, choice.candidates(journal.measurements));
  }
  await measureShared(tables(chosen, journal.measurements));
}

/** Draws a selection: the queries of the chosen candidates, in the order of choice. */
async function choose(
  plan: Plan,
  journal: Journal,
  item: SelectionItem,
  expected: readonly Expected[],
): Promise<readonly Query[]> {
  const { candidates } = plan.ledger;
  const compared = expected.map(({ number, ...rest }) => {
    const query = candidates[number];
    return { query, cells: cellsOf(query, plan.schema.attributes), ...rest };
  });
  return (await journal.select(item, expected, compared)).map((number) => candidates[number]);
}

async function drawRounds({ plan, seed, onDrawn, onProgress, signal }: RoundsInput, journal: Journal): Promise<void> {
  const { ledger, estimate, settings } = plan;
  const { attributes } = plan.schema;
  const mechanism = mechanismNamed(plan.mechanism);
  const rounds = roundsOf(ledger, plan.workload, attributes);
  let chosen: readonly Query[] = [];
  let warm: readonly Uint16Array[] | undefined;
  let answers: SyntheticAnswers | undefined;
  let round: Round;
  let number = 0;
  do {
    if (journal.hasTakenAll) await onDrawn(journal.items);
    onProgress?.({ phase: "round", done: number, of: rounds.count });
    const { measurements } = journal;
    const total = Math.max(1, totalOf(plan, measurements));
    const ofRound = (seed + ++number) >>> 0;
    const input = {
      attributes,
      measurements,
      total,
      rows: ROUND_ROWS,
      seed: ofRound,
      estimate,
      settings,
      chosen: true,
      warm,
      signal,
    };
    warm = (await mechanism.project(input)).codes;
    const before = answers;
    const present = new SyntheticAnswers(attributes, warm);
    answers = present;
    round = rounds.next({
      chosen,
      answers: (query) => present.of(query, total),
      before: (query) => before!.of(query, total),
    });
    const targetsOf = (number: number) => () => present.of(ledger.candidates[number], total);
    const expected = round.candidates.map((candidate) => ({ ...candidate, targets: targetsOf(candidate.number) }));
    chosen = await choose(plan, journal, round.item, expected);
    for (const query of chosen) await journal.measure(measurementItem(query, round.measurementShare, termsOf(plan)));
  } while (!round.isLast);
}

const termsOf = ({ schema, ledger }: Plan): Terms => ({ schema, neighbours: ledger.neighbours, unit: ledger.unit });

/** N̂ or the declared n. */
export function totalOf({ ledger, schema }: Plan, measurements: readonly Measurement[]): number {
  return ledger.publicRows ?? estimateTotal(measurements, schema.attributes);
}
