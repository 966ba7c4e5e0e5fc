import { StandinError } from "../core/errors.js";
import { deepFreeze } from "../core/freeze.js";
import type { Query } from "../queries/query.js";
import type { Schema } from "../schema/schema.js";
import { epsilonOf, type Neighbours, RHO_MAX, rhoOf, type Unit, unitsOf } from "./accounting.js";
import {
  chargeOf,
  type Item,
  measurementItem,
  openItem,
  type QueryItem,
  type Score,
  selectionItem,
  type Terms,
} from "./items.js";

/** The budget of one release as the user states it: ε and δ, or ρ and δ. */
export interface BudgetOptions {
  /** ε in [1e-6, 1000]. */
  epsilon?: number;
  /** ρ of zero-concentrated DP in (0, 4095], instead of ε. */
  rho?: number;
  /** δ in (0, 1), a public constant (default 1e-9), or `"1/n2"` with a declared number of rows. */
  delta?: number | "1/n2";
  neighbours?: Neighbours;
  /** The declared number of rows; required by, and only for, `replace`. */
  publicRows?: number;
}

/** A query to be measured, and its share of the budget: `weight`, a whole number from 1, against the sum of all weights. */
export interface WeightedQuery {
  readonly query: Query;
  readonly weight: number;
}

/** Rounds, each the choice of some candidates and then their measurement; what was chosen is no candidate any more. */
export interface WeightedRounds {
  readonly score: Score;
  readonly candidates: readonly Query[];
  /** How many rounds, and how many candidates each chooses: all together no more than there are. */
  readonly count: number;
  readonly picks: number;
  /** The weights of one selection, and of the measurement of one candidate. */
  readonly selectionWeight: number;
  readonly measurementWeight: number;
}

/** The rounds of a rule that spends by what noisy answers say: as many as its weight pays for, `count` at the most. */
export interface WeightedRule extends WeightedRounds {
  /** Everything that the rounds may use; the other two weights are those of the first round. */
  readonly weight: number;
  /** How it is spent, as a sentence for people. */
  readonly rule: string;
}

/** A second stage, whose shares and resolutions follow from the noisy answers of the first queries. */
export interface WeightedStage {
  /** What it measures at most, by these weights, where the first answers ask for nothing else. */
  readonly queries: readonly WeightedQuery[];
  /** What it may choose from, in place of measuring all. */
  readonly candidates: readonly Query[];
  /** Everything that it may use. */
  readonly weight: number;
  /** What part of that a query has at least, 0 to 1. */
  readonly leastShare: number;
  /** How it is spent, as a sentence for people. */
  readonly rule: string;
}

/** What a mechanism asks of the door, before any data is seen: queries first, then a second stage or rounds. */
export interface Schedule {
  readonly first: readonly WeightedQuery[];
  readonly second?: WeightedStage;
  readonly rounds?: WeightedRounds | WeightedRule;
}

/** What will be spent on what, complete before any data is seen, and unchangeable: the promise of a release rests on it. */
export interface Ledger extends BudgetTerms {
  readonly unit: Unit;
  /** ρ in ledger units. */
  readonly budget: bigint;
  /** In order: measurements, then the rounds, each a selection and as many open measurements as it picks. */
  readonly items: readonly Item[];
  /** What the rounds, or a second stage, choose from, in the order in which a release numbers them; none in other plans. */
  readonly candidates: readonly Query[];
  /** The second stage as it is where the first answers ask for nothing else; none in a plan without one. */
  readonly second: readonly QueryItem[];
  /**
   * What the second stage, or the rounds, may use altogether, in ledger units, where their shares follow from noisy answers; of such rounds
   * the items hold the first.
   */
  readonly cap?: bigint;
  /** How what the cap is for is spent, as a sentence. */
  readonly rule?: string;
  /** The most that a release is charged, in ledger units: at most the budget. */
  readonly charge: bigint;
}

const EPSILON = [1e-6, 1000] as const;

/** The budget of a release as a mechanism may know it when it makes its schedule. */
export interface BudgetTerms {
  readonly neighbours: Neighbours;
  readonly publicRows: number | undefined;
  readonly epsilon: number;
  readonly delta: number;
  /** CKS ρ(ε, δ), rounded down. */
  readonly rho: number;
  /** What the user should know about the request: a large δ, a clamped ρ. */
  readonly warnings: readonly string[];
}

/** @throws {StandinError} `budget/…` for an ε, ρ, δ, relation or number of rows that means nothing */
export function budgetTerms(options: BudgetOptions, unit: Unit): BudgetTerms {
  const { publicRows } = options;
  const neighbours = checkNeighbours(options, unit);
  const delta = checkDelta(options);
  const { rho, epsilon, warnings } = checkBudget(options, delta);
  if (delta > 1e-6) warnings.push(`δ = ${delta} is large: with this probability the guarantee may fail altogether.`);
  if (publicRows && delta >= 1 / publicRows)
    warnings.push(`δ = ${delta} is not below 1/n: it would allow publishing a random row.`);
  return { neighbours, publicRows, epsilon, delta, rho, warnings };
}

/**
 * Splits the budget over a schedule by its weights and finds each item's noise.
 * @throws {StandinError} `budget/too-small` where a share buys nothing
 */
export function planLedger(schema: Schema, schedule: Schedule, budgeted: BudgetTerms): Ledger {
  const { neighbours, rho } = budgeted;
  const terms: Terms = { schema, neighbours, unit: schema.unit };
  const { first, second, rounds } = schedule;
  const budget = unitsOf(rho);
  const later = BigInt(second?.weight ?? 0) + (rounds ? roundsWeight(rounds) : 0n);
  const total = first.reduce((sum, { weight }) => sum + BigInt(weight), later);
  const share = (weight: number): bigint => (budget * BigInt(weight)) / total;
  const items: Item[] = first.map(({ query, weight }) => measurementItem(query, share(weight), terms));
  if (rounds) {
    const selection = selectionItem(rounds.candidates, rounds, share(rounds.selectionWeight), terms);
    const open = openItem(rounds.candidates, share(rounds.measurementWeight), terms);
    const round = [selection, ...Array.from({ length: rounds.picks }, () => open)];
    for (let at = 0; at < ("weight" in rounds ? 1 : rounds.count); at++) items.push(...round);
  }
  const ruled = second ?? (rounds && "weight" in rounds ? rounds : undefined);
  const cap = ruled && share(ruled.weight);
  const planned = items.slice(0, cap === undefined ? undefined : first.length);
  if (second) checkLeast(second, cap!, terms);
  return deepFreeze({
    ...budgeted,
    unit: schema.unit,
    budget,
    items,
    second: second ? secondItems(second, cap!, terms) : [],
    candidates: (second ?? rounds)?.candidates ?? [],
    cap,
    rule: ruled?.rule,
    charge: planned.reduce((sum, item) => sum + chargeOf(item), cap ?? 0n),
    warnings: [...budgeted.warnings, ...unmeasured(schema, schedule)],
  });
}

/** Finds now what a second stage could ask too much noise for. */
function checkLeast({ queries, leastShare }: WeightedStage, cap: bigint, terms: Terms): void {
  const least = BigInt(Math.floor(leastShare * Number(cap)));
  for (const { query } of queries) measurementItem(query, least, terms);
}

function secondItems({ queries }: WeightedStage, cap: bigint, terms: Terms): QueryItem[] {
  const sum = queries.reduce((total, { weight }) => total + BigInt(weight), 0n);
  return queries.map(({ query, weight }) => measurementItem(query, (cap * BigInt(weight)) / sum, terms));
}

/** Whether an item measures a query that the plan names. */
export function isQueryItem(item: Item): item is QueryItem {
  return item.kind === "measurement" && item.query !== undefined;
}

/** The weights of all rounds together. */
function roundsWeight(rounds: WeightedRounds | WeightedRule): bigint {
  if ("weight" in rounds) return BigInt(rounds.weight);
  const { count, picks, selectionWeight, measurementWeight } = rounds;
  return BigInt(count) * (BigInt(selectionWeight) + BigInt(picks) * BigInt(measurementWeight));
}

function unmeasured({ attributes }: Schema, { first, second, rounds }: Schedule): string[] {
  const measuredAtOnce = [...first, ...(second?.queries ?? [])].map(({ query }) => query);
  const queries = [...measuredAtOnce, ...(rounds?.candidates ?? [])];
  const measured = new Set(queries.flatMap(({ columns }) => columns));
  const left = attributes.filter((_, column) => !measured.has(column)).map(({ name }) => name);
  return left.length
    ? [`Nothing is measured of ${left.join(", ")}: their cells will be uniform over their values.`]
    : [];
}

function checkNeighbours({ neighbours = "add-remove", publicRows }: BudgetOptions, unit: Unit): Neighbours {
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw new StandinError(
      "budget/neighbours",
      `"${neighbours}" is not a neighbouring relation.`,
      'Use "add-remove" (the default) or "replace".',
    );
  if (publicRows !== undefined && !(Number.isSafeInteger(publicRows) && publicRows >= 1 && publicRows <= 2 ** 30))
    throw new StandinError(
      "budget/public-rows",
      `The declared number of rows is ${publicRows}.`,
      "Declare a whole number from 1 to 1,073,741,824, known independently of this table.",
    );
  if (neighbours === "add-remove") {
    if (publicRows !== undefined)
      throw new StandinError(
        "budget/public-rows",
        "A declared number of rows goes with the relation replace; under add-remove the number of rows is private.",
        "Leave public rows out, or ask for neighbours replace.",
      );
    return neighbours;
  }
  if (publicRows === undefined)
    throw new StandinError(
      "budget/public-rows",
      "The relation replace takes the number of rows as public, so it must be declared.",
      "Give the number of rows (--public-rows), known independently of this table, or use add-remove.",
    );
  if (unit !== "row")
    throw new StandinError(
      "budget/unit",
      "The relation replace protects one row; it cannot be combined with a unit of one person with several rows.",
      "Use add-remove, or take standin.unit out of the schema.",
    );
  return neighbours;
}

function checkDelta({ delta = 1e-9, publicRows }: BudgetOptions): number {
  if (delta === "1/n2") {
    if (publicRows === undefined)
      throw new StandinError(
        "budget/delta",
        "δ = 1/n2 needs a declared number of rows: the table's own number is private.",
        "Declare it (--public-rows, with neighbours replace), or give delta as a number.",
      );
    return checkDelta({ delta: 1 / (publicRows * publicRows) });
  }
  if (!(typeof delta === "number" && delta > 0 && delta < 1))
    throw new StandinError(
      "budget/delta",
      `delta is ${delta}; it must be greater than 0 and less than 1.`,
      "Gaussian noise has no guarantee with δ = 0; 1e-9 is the default.",
    );
  return delta;
}

function checkBudget({ epsilon, rho }: BudgetOptions, delta: number) {
  const warnings: string[] = [];
  if (rho !== undefined && epsilon !== undefined)
    throw new StandinError("budget/epsilon", "Both epsilon and rho were given.", "Give one of them.");
  if (rho !== undefined) {
    if (!(Number.isFinite(rho) && rho > 0))
      throw new StandinError(
        "budget/rho",
        `rho is ${rho}; it must be a number greater than 0.`,
        "Try 0.015 (about ε = 1).",
      );
    if (rho > RHO_MAX) warnings.push(`ρ = ${rho} was lowered to ${RHO_MAX}, the most that the ledger holds.`);
    const kept = Math.min(rho, RHO_MAX);
    return { rho: kept, epsilon: epsilonOf(kept, delta), warnings };
  }
  if (epsilon === undefined)
    throw new StandinError("budget/epsilon", "epsilon is missing: how much privacy may be spent?", "Try --epsilon 1.");
  if (!(typeof epsilon === "number" && epsilon >= EPSILON[0] && epsilon <= EPSILON[1]))
    throw new StandinError(
      "budget/epsilon",
      `epsilon is ${epsilon}; it must be a number from ${EPSILON[0]} to ${EPSILON[1]}.`,
      "Small values protect more; 1 is a common choice.",
    );
  return { rho: rhoOf(epsilon, delta), epsilon, warnings };
}
