// What an attacker who holds releases can infer from them. A scenario is two tables that differ by one unit, in the
// worst possible way. The audit sees bytes go in and release.json come out, many times for each table, and knows what
// the tables hold. It takes nothing that a release says about its noise for granted, except its prices.
import { ADD_REMOVE, REPLACE } from "../../src/engine/layout.js";
import { parseCsv, parseSchema } from "../../src/index.js";
import { type Query, queryOf, shapesOf } from "../../src/queries/query.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { modelCodes } from "../../src/schema/encode.js";
import { rhoOf } from "../reference/accounting.js";
import { centredTable } from "../reference/centred.js";
import { discreteGaussian, varianceOf } from "../reference/discrete-gaussian.js";
import { groupCounts, groupSums } from "../reference/groups.js";
import { centredSquaredOf } from "../reference/sensitivity.js";
import { binomialBounds, firstWhere, normal } from "../reference/statistics.js";
import type { Package } from "./mutants.js";

/** Two tables that differ by one unit, and the request that is made of them. */
export interface Scenario {
  readonly schema: { readonly fields: readonly { readonly name: string }[]; readonly [more: string]: unknown };
  readonly options: NonNullable<Parameters<Package["plan"]>[1]>;
  /** The two tables as files. */
  readonly files: readonly [string, string];
  /** The files with the rows to count, if not all rows count. */
  readonly counted?: readonly [string, string];
  /** The squared L2 norm of the change that a unit may make to a query's counts, for each partition of the query. */
  readonly changePerPartition: number;
  readonly runs: number;
  /**
   * For rounds that choose: a release to continue from, unless a choice comes first, and the number of a candidate that
   * the unit makes more likely.
   */
  readonly rounds?: { readonly begun?: string; readonly favoured: number };
}

/** An item of release.json. */
interface ItemJson {
  readonly kind: string;
  readonly rho: number;
  readonly columns: readonly string[];
  readonly query: string;
  readonly groups?: Query["groups"];
  readonly centred?: Query["centred"];
  readonly answers: readonly number[];
  readonly chosen: readonly number[];
  readonly law?: string;
}

/** The total probability of finding a correct package guilty is less than one in a million. */
const ALPHA = 1e-6;
/** The largest number of tests. */
const TESTS = 6;
const LEVEL = ALPHA / TESTS;
/** How far from 0 a standard normal variable lies with this probability. */
const DEVIATIONS = firstWhere(0, 10, (x) => 2 * normal(-x) <= LEVEL);

/** The faults found in the releases; empty if all is as promised. */
export async function findings(standin: Package, scenario: Scenario): Promise<string[]> {
  const truth = new Truth(scenario);
  const [without, within] = [await observed(standin, scenario, truth, 0), await observed(standin, scenario, truth, 1)];
  return [
    ...priceFindings([...without, ...within], scenario),
    ...varianceFindings("without the unit", without),
    ...varianceFindings("with the unit", within),
    ...thresholdFindings(without, within, scenario),
    ...(scenario.rounds ? choiceFindings(without, within) : []),
  ];
}

/** The facts that one release reveals. */
interface Observation {
  /** The price of the items that were measured in this run. */
  readonly spent: number;
  readonly measured: number;
  /**
   * Σ (answer − count)²/variance over the cells that were measured, with the variance that the price pays for; and the
   * number of these cells.
   */
  readonly squares: number;
  readonly cells: number;
  /** The log-likelihood ratio of the two tables: a value above 0 is evidence for the unit. */
  readonly ratio: number;
  /** The price of the choice, and whether the favoured candidate was chosen. */
  readonly choice?: { readonly promised: number; readonly isFavoured: boolean };
}

async function observed(standin: Package, scenario: Scenario, truth: Truth, which: 0 | 1): Promise<Observation[]> {
  const schema = standin.parseSchema(scenario.schema);
  const plan = standin.plan(schema, scenario.options);
  const bytes = new TextEncoder().encode(scenario.files[which]);
  const begun = scenario.rounds?.begun === undefined ? undefined : standin.parseRelease(scenario.rounds.begun);
  const found: Observation[] = [];
  for (let run = 0; run < scenario.runs; run++) {
    const table = await standin.readCsv(bytes, schema);
    const how = { unsafeNoiseKey: keyOf(2 * run + which) };
    const release = begun
      ? await firstRound((onRound) => standin.resume(table, begun, { ...how, onRound }))
      : await standin.measure(table, plan, { ...how, seed: 1 });
    const json = JSON.parse(JSON.stringify(release)) as { items: ItemJson[] };
    found.push(truth.observe(json.items, begun?.items.length ?? 0, which));
  }
  return found;
}

type Released = Awaited<ReturnType<Package["measure"]>>;
type OnRound = (unfinished: Released) => void;

/**
 * What a run leaves behind if it is interrupted when it first asks for something to be kept; the whole release if it
 * never asks.
 */
export async function firstRound(run: (onRound: OnRound) => Promise<Released>): Promise<Released> {
  let kept: Released | undefined;
  const onRound = (unfinished: Released) => {
    kept = unfinished;
    throw new Error("interrupted");
  };
  try {
    return await run(onRound);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** 32 bytes made from a number. */
export const keyOf = (number: number) =>
  Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (number >>> (8 * at)) & 255 : 7));

/** The true answers of the two tables, and by how much a unit may change them: the squared L2 norm. */
interface Counted {
  readonly counts: readonly ArrayLike<number>[];
  readonly change: number;
}

/** The contents of the two tables. */
class Truth {
  readonly #scenario: Scenario;
  readonly #schema: ReturnType<typeof parseSchema>;
  readonly #tables: readonly RowAnswers[];
  readonly #known = new Map<string, Counted>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#schema = parseSchema(scenario.schema);
    this.#tables = (scenario.counted ?? scenario.files).map((file) => {
      const table = parseCsv(file, this.#schema);
      return RowAnswers.ofCodes(this.#schema.attributes, modelCodes(table, this.#schema));
    });
  }

  /**
   * The observation from a release of one of the tables. @param from the number of the first item that was drawn in
   * this run
   */
  observe(items: readonly ItemJson[], from: number, which: 0 | 1): Observation {
    let [squares, cells, ratio, measured] = [0, 0, 0, 0];
    for (const item of items.slice(from).filter(({ kind }) => kind === "measurement")) {
      const { counts, change } = this.#of(item);
      const sigma2 = change / (2 * item.rho);
      const [without, within] = counts;
      const variance = varianceOf(sigma2);
      measured += item.rho;
      cells += item.answers.length;
      item.answers.forEach((answer, cell) => {
        squares += (answer - counts[which][cell]) ** 2 / variance;
        ratio += ((answer - (without[cell] + within[cell]) / 2) * (within[cell] - without[cell])) / sigma2;
      });
    }
    const spent = items.reduce((sum, { rho }) => sum + rho, 0);
    const selection = items.slice(from).find(({ kind }) => kind === "selection");
    const choice = selection && {
      promised: rangeOf(selection),
      isFavoured: selection.chosen[0] === this.#scenario.rounds?.favoured,
    };
    return { spent, measured, squares, cells, ratio, ...(choice && { choice }) };
  }

  #of(item: ItemJson): Counted {
    const name = JSON.stringify([item.query, item.columns, item.groups, item.centred]);
    const known = this.#known.get(name) ?? this.#count(item);
    this.#known.set(name, known);
    return known;
  }

  #count({ query: kind, columns: names, groups, centred }: ItemJson): Counted {
    const { attributes } = this.#schema;
    const { changePerPartition, options } = this.#scenario;
    const places = names.map((name) => attributes.findIndex((attribute) => attribute.name === name));
    const query: Query = queryOf(places, attributes);
    const change = shapesOf(query, attributes).length * changePerPartition;
    const sizes = places.map((column) => attributes[column].size);
    const byCode = this.#tables.map((table) => table.of(query));
    const counts = groups ? byCode.map((counted) => groupSums(sizes, groups, counted)) : byCode;
    if (kind !== "interaction") return { counts, change };
    const shape = groups ? groupCounts(sizes, groups) : sizes;
    const along = places.map((_, axis) => centred?.[axis] ?? true);
    const relation = options.neighbours === "replace" ? REPLACE : ADD_REMOVE;
    const rows = relation === REPLACE ? 1 : Math.sqrt(changePerPartition);
    const centredAlong = shape.map((size, axis) => (along[axis] ? size : 0));
    return {
      counts: counts.map((counted) => centredTable(shape, along, counted)),
      change: Number(centredSquaredOf(centredAlong, relation, rows, Number.POSITIVE_INFINITY)),
    };
  }
}

/** The promise in ρ. */
function promiseOf({ options: { epsilon, rho, delta } }: Scenario): number {
  return rho ?? rhoOf(epsilon!, delta as number);
}

function priceFindings(releases: readonly Observation[], scenario: Scenario): string[] {
  const most = Math.max(...releases.map(({ spent }) => spent));
  const promise = promiseOf(scenario);
  return most <= promise * (1 + 1e-9) ? [] : [`The items of a release cost ρ = ${most}, and ${promise} was promised.`];
}

/** Whether the noise is what the prices pay for. */
/** By how much the log-odds of a choice at this price may grow. */
const rangeOf = ({ rho, law }: ItemJson) => Math.sqrt((law === "permute-and-flip" ? 2 : 8) * rho);

function varianceFindings(where: string, releases: readonly Observation[]): string[] {
  const cells = releases.reduce((sum, release) => sum + release.cells, 0);
  if (!cells) return [];
  const ratio = releases.reduce((sum, { squares }) => sum + squares, 0) / cells;
  // The squares of normal variables have variance 2; those of the discrete Gaussian have less.
  const off = (ratio - 1) / Math.sqrt(2 / cells);
  return Math.abs(off) <= DEVIATIONS
    ? []
    : [`The noise ${where} has ${ratio.toPrecision(3)} times the variance that is paid for (${off.toFixed(1)} σ off).`];
}

/**
 * How well the best threshold on the measurements distinguishes the tables, compared with noise of the promised scale.
 */
function thresholdFindings(
  without: readonly Observation[],
  within: readonly Observation[],
  scenario: Scenario,
): string[] {
  if (!within.some(({ cells }) => cells)) return [];
  const hits = within.filter(({ ratio }) => ratio > 0).length;
  const alarms = without.filter(({ ratio }) => ratio > 0).length;
  const [truePositives] = binomialBounds(hits, within.length, LEVEL / 2);
  const [, falsePositives] = binomialBounds(alarms, without.length, LEVEL / 2);
  const proven = quantile(truePositives) - quantile(falsePositives);
  const price = scenario.rounds
    ? Math.max(...[...without, ...within].map(({ measured }) => measured))
    : promiseOf(scenario);
  const promised = shiftOf(price);
  return proven <= promised
    ? []
    : [`A threshold proves a shift of ${proven.toFixed(2)} σ, and ${promised.toFixed(2)} was promised.`];
}

/**
 * The distance, in σ, between two normal distributions that are as easy to distinguish as two tables by answers at this
 * price: √(2ρ), or slightly more if σ is so small that the discrete Gaussian's steps of 1 matter.
 */
function shiftOf(rho: number): number {
  const [none] = discreteGaussian(1 / (2 * rho));
  return Math.max(Math.sqrt(2 * rho), 2 * quantile((1 + none) / 2));
}

/**
 * Whether the unit makes the favoured choice more likely than its price allows.
 */
function choiceFindings(without: readonly Observation[], within: readonly Observation[]): string[] {
  const bounds = (releases: readonly Observation[]) =>
    binomialBounds(releases.filter(({ choice }) => choice?.isFavoured).length, releases.length, LEVEL / 2);
  const odds = (probability: number) => Math.log(probability / (1 - probability));
  const proven = odds(bounds(within)[0]) - odds(bounds(without)[1]);
  const promised = Math.max(...[...without, ...within].map(({ choice }) => choice!.promised));
  return proven <= promised
    ? []
    : [
        `The odds of a choice grow by exp(${proven.toFixed(2)}) at least, and exp(${promised.toFixed(2)}) was promised.`,
      ];
}

const quantile = (probability: number) => firstWhere(-10, 10, (x) => normal(x) >= probability);
