import { shownNumber, shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { forUsers, optionText } from "../core/option-text.js";
import { deepFreeze } from "../core/plain.js";
import type { Attribute } from "../domain/attribute.js";
import type { Query } from "../queries/query.js";
import { epsilonOf, type Neighbours, RHO_MAX, rhoOf, type Unit, unitsOf } from "./accounting.js";
import type { CandidateGroup } from "./candidates.js";
import { chargeOf, type Item, type QueryItem } from "./items.js";

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

/** The part of the budget whose use the noisy answers decide. */
export interface CappedDraws {
  /** The most that it may use, in ledger units. */
  readonly cap: bigint;
  /** How it is spent, as a sentence for the user. */
  readonly rule: string;
  /**
   * The items drawn if the noisy answers call for nothing else: all of them, or only the first ones where `isWhole` is
   * false.
   */
  readonly shown: readonly Item[];
  readonly isWhole: boolean;
}

/** The requests that a mechanism will make through the door, fixed before any data is seen. */
export interface Price {
  /** The items drawn whatever the answers are, in order. */
  readonly items: readonly Item[];
  /** The draws after those items. */
  readonly ruled?: CappedDraws;
  /** The candidates of selections, in the order in which a release numbers them. */
  readonly candidates?: readonly CandidateGroup[];
  /** The most that is measured: of the candidates, the largest ones, as many as will be chosen. */
  readonly measured: readonly Query[];
  /** Anything else that a release records about how its budget was spent. */
  readonly facts?: { readonly stages: 1 | 2 };
}

/**
 * How the budget will be spent. It is complete before any data is seen and cannot be changed: the guarantee of a
 * release rests on it.
 */
export interface Ledger extends CheckedBudget {
  readonly unit: Unit;
  /**
   * The items drawn whatever the answers are, in order. A measurement may stay open until a selection before it is
   * drawn.
   */
  readonly items: readonly Item[];
  /** The candidates of selections, in the order in which a release numbers them. Empty in plans without selections. */
  readonly candidates: readonly CandidateGroup[];
  /**
   * The items that the rule draws if the noisy answers call for nothing else: all of them, or only the first ones where
   * `isWhole` is false.
   */
  readonly shown: readonly Item[];
  readonly isWhole: boolean;
  /** The most that the rule may use in total, in ledger units. */
  readonly cap?: bigint;
  /** The rule by which it is spent, as a sentence. */
  readonly rule?: string;
  /** The most that a release is charged, in ledger units: at most the budget. */
  readonly charge: bigint;
}

/** The smallest and the largest ε. */
export const EPSILON = [1e-6, 1000] as const;

/** The parts of a release's budget that a mechanism may use when it makes its schedule. */
export interface CheckedBudget {
  readonly neighbours: Neighbours;
  readonly publicRows: number | undefined;
  readonly epsilon: number;
  readonly delta: number;
  /** CKS ρ(ε, δ), rounded down. */
  readonly rho: number;
  /** ρ in ledger units. */
  readonly budget: bigint;
  /** Warnings to the user about the request: a large δ, or a clamped ρ. */
  readonly warnings: readonly string[];
}

/** @throws {StandinError} `budget/…` for an ε, ρ, δ, relation or number of rows that is invalid */
export function checkedBudget(options: BudgetOptions, unit: Unit): CheckedBudget {
  const { publicRows } = options;
  const neighbours = checkNeighbours(options, unit);
  const delta = checkDelta(options);
  const { rho, epsilon, warnings } = checkBudget(options, delta);
  if (delta > 1e-6) warnings.push(`δ = ${delta} is large: with this probability the guarantee may fail completely.`);
  if (publicRows && delta >= 1 / publicRows)
    warnings.push(`δ = ${delta} is not below 1/n: it would allow publishing a random row.`);
  return { neighbours, publicRows, epsilon, delta, rho, budget: unitsOf(rho), warnings };
}

/** The ledger for a mechanism's price within a budget, deeply frozen. */
export function planLedger(
  attributes: readonly Attribute[],
  price: Price,
  budgeted: CheckedBudget,
  unit: Unit,
): Ledger {
  const { items, ruled, candidates = [] } = price;
  return deepFreeze({
    ...budgeted,
    unit,
    items,
    candidates,
    shown: ruled?.shown ?? [],
    isWhole: ruled?.isWhole ?? true,
    cap: ruled?.cap,
    rule: ruled?.rule,
    charge: items.reduce((sum, item) => sum + chargeOf(item), ruled?.cap ?? 0n),
    warnings: [...budgeted.warnings, ...unmeasured(attributes, price)],
  });
}

/** Whether an item measures a query that the plan names. */
export function isQueryItem(item: Item): item is QueryItem {
  return item.kind === "measurement" && item.query !== undefined;
}

function unmeasured(attributes: readonly Attribute[], { measured, candidates = [] }: Price): string[] {
  const queries = [...measured, ...candidates.map(({ query }) => query)];
  const columns = new Set(queries.flatMap((query) => query.columns));
  const left = attributes.filter((_, column) => !columns.has(column)).map(({ name }) => name);
  return left.length
    ? [`Nothing is measured about ${left.join(", ")}: their cells will be uniform over their values.`]
    : [];
}

function checkNeighbours({ neighbours = "add-remove", publicRows }: BudgetOptions, unit: Unit): Neighbours {
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw new StandinError(
      "budget/neighbours",
      `${shownValue(neighbours)} is not a neighbouring relation.`,
      'Use "add-remove" (the default) or "replace".',
    );
  if (publicRows !== undefined && !(Number.isSafeInteger(publicRows) && publicRows >= 1 && publicRows <= 2 ** 30))
    throw new StandinError(
      "budget/public-rows",
      `The declared number of rows is ${shownNumber(publicRows)}.`,
      "Declare a whole number from 1 to 1,073,741,824, known independently of this table.",
    );
  if (neighbours === "add-remove") {
    if (publicRows !== undefined)
      throw new StandinError(
        "budget/public-rows",
        "A declared number of rows needs the relation replace; under add-remove the number of rows is private.",
        `Leave ${forUsers("publicRows", "--public-rows")} out, or use ${optionText("neighbours", "replace")}.`,
      );
    return neighbours;
  }
  if (publicRows === undefined)
    throw new StandinError(
      "budget/public-rows",
      "The relation replace treats the number of rows as public, so it must be declared.",
      `Give the number of rows (${forUsers("publicRows", "--public-rows")}), known independently of this table, or use add-remove.`,
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
        `Declare it (${forUsers("publicRows", "--public-rows")}, with ${optionText("neighbours", "replace")}), or give delta as a number.`,
      );
    return checkDelta({ delta: 1 / (publicRows * publicRows) });
  }
  if (!(typeof delta === "number" && delta > 0 && delta < 1))
    throw new StandinError(
      "budget/delta",
      `delta is ${shownNumber(delta)}; it must be a number greater than 0 and less than 1.`,
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
        `rho is ${shownNumber(rho)}; it must be a number greater than 0.`,
        "Try 0.015 (about ε = 1).",
      );
    if (rho > RHO_MAX) warnings.push(`ρ = ${rho} was lowered to ${RHO_MAX}, the most that the ledger holds.`);
    const kept = Math.min(rho, RHO_MAX);
    return { rho: kept, epsilon: epsilonOf(kept, delta), warnings };
  }
  if (epsilon === undefined)
    throw new StandinError(
      "budget/epsilon",
      "epsilon is missing: how much privacy may be spent?",
      `Try ${optionText("epsilon", 1)}.`,
    );
  if (!(typeof epsilon === "number" && epsilon >= EPSILON[0] && epsilon <= EPSILON[1]))
    throw new StandinError(
      "budget/epsilon",
      `epsilon is ${shownNumber(epsilon)}; it must be a number from ${EPSILON[0]} to ${EPSILON[1]}.`,
      "Small values protect more; 1 is a common choice.",
    );
  return { rho: rhoOf(epsilon, delta), epsilon, warnings };
}
