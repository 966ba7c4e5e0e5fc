import { StandinError } from "../core/errors.js";
import { deepFreeze } from "../core/freeze.js";
import { cellsOf, type Query, shapesOf } from "../queries/query.js";
import type { Schema } from "../schema/schema.js";
import {
  epsilonOf,
  type Neighbours,
  type Noise,
  noiseFor,
  RHO_MAX,
  RHO_UNIT,
  rhoOf,
  type Unit,
  unitsOf,
} from "./accounting.js";

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

/** One charge of the ledger, as planned. */
export interface Item {
  readonly kind: "measurement";
  readonly query: Query;
  readonly cells: number;
  /** The structure that the sensitivity follows from. */
  readonly partitions: number;
  readonly free: number;
  /** The share of the budget that the item may use, in ledger units; `noise.charge` is at most this. */
  readonly share: bigint;
  readonly noise: Noise;
}

/** What will be spent on what, complete before any data is seen, and unchangeable: the promise of a release rests on it. */
export interface Ledger {
  readonly neighbours: Neighbours;
  readonly publicRows: number | undefined;
  readonly unit: Unit;
  readonly epsilon: number;
  readonly delta: number;
  /** The budget: CKS ρ(ε, δ), rounded down. */
  readonly rho: number;
  readonly budget: bigint;
  readonly items: readonly Item[];
  /** What the user should know about the request: a large δ, a clamped ρ. */
  readonly warnings: readonly string[];
}

const EPSILON = [1e-6, 1000] as const;

/**
 * Splits the budget over the queries by their weights and finds each item's noise.
 * @throws {StandinError} `budget/…` for an ε, ρ, δ, relation or number of rows that means nothing or cannot be met
 */
export function planLedger(schema: Schema, queries: readonly WeightedQuery[], options: BudgetOptions): Ledger {
  const neighbours = checkNeighbours(options, schema.unit);
  const delta = checkDelta(options);
  const { rho, epsilon, warnings } = checkBudget(options, delta);
  const budget = unitsOf(rho);
  const weights = queries.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const items = queries.map(({ query, weight }): Item => {
    const share = (budget * BigInt(weight)) / weights;
    if (share === 0n)
      throw new StandinError(
        "budget/too-small",
        `ρ = ${rho} is too small to be split over ${queries.length} items.`,
        "Raise epsilon, or measure a smaller workload.",
      );
    const partitions = shapesOf(query, schema.attributes).length;
    const noise = noiseFor(share, partitions, 0, neighbours, schema.unit);
    return { kind: "measurement", query, cells: cellsOf(query, schema.attributes), partitions, free: 0, share, noise };
  });
  if (delta > 1e-6) warnings.push(`δ = ${delta} is large: with this probability the guarantee may fail altogether.`);
  if (options.publicRows && delta >= 1 / options.publicRows)
    warnings.push(`δ = ${delta} is not below 1/n: it would allow publishing a random row.`);
  const measured = new Set(queries.flatMap(({ query }) => query.columns));
  const unmeasured = schema.attributes.filter((_, column) => !measured.has(column)).map(({ name }) => name);
  if (unmeasured.length)
    warnings.push(`Nothing is measured of ${unmeasured.join(", ")}: their cells will be uniform over their values.`);
  return deepFreeze({
    neighbours,
    publicRows: options.publicRows,
    unit: schema.unit,
    epsilon,
    delta,
    rho,
    budget,
    items,
    warnings,
  });
}

/** An item as plan and release print it with its structure, sensitivity, noise and charge. */
export function itemJson(item: Item, schema: Schema) {
  return {
    kind: item.kind,
    query: item.query.kind,
    columns: item.query.columns.map((column) => schema.attributes[column].name),
    cells: item.cells,
    partitions: item.partitions,
    free: item.free,
    sensitivity: Math.sqrt(Number(item.noise.delta2)),
    sigma2: sigma2Of(item),
    rho: Number(item.noise.charge) * RHO_UNIT,
  };
}

/** σ², exact: its 24 bits fit a double. */
export const sigma2Of = (item: Item): number => item.noise.p * 2 ** -item.noise.k;

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
