import { StandinError } from "../core/errors.js";
import { Calls } from "../engine/calls.js";
import {
  ADD_REMOVE,
  LAW_FLIPPED,
  LAW_PEELED,
  LAW_REPLACED,
  OK,
  RATE_BYTES,
  REPLACE,
  SIGMA2_BYTES,
  SIGMA2_CHARGE,
  SIGMA2_K,
  SIGMA2_P,
} from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";

// Glue to the engine's accountant (assembly/privacy/accounting.ts), in an instance that never holds a row.

/**
 * `add-remove`: neighbours differ by one unit, and n is private. `replace`: one row is replaced by another, and n is
 * public and declared.
 */
export type Neighbours = "add-remove" | "replace";

/**
 * The protected unit: one row, or one person with up to `maxRows` rows, who is identified by a column or asserted by
 * the user.
 */
export type Unit = "row" | { readonly column?: string; readonly maxRows: number };

export const relationOf = (neighbours: Neighbours): number => (neighbours === "replace" ? REPLACE : ADD_REMOVE);
export const maxRowsOf = (unit: Unit): number => (unit === "row" ? 1 : unit.maxRows);
/** The unit as plan and release print it, without the column's name. */
export const unitJson = (unit: Unit): "row" | { maxRows: number } =>
  unit === "row" ? "row" : { maxRows: unit.maxRows };

/** ρ is held in units of 2^−52. */
export const RHO_UNIT = 2 ** -52;
/** The largest ρ that the ledger holds; larger requests are clamped to it. */
export const RHO_MAX = 4095;

/** The smallest ε for which ρ-zCDP gives (ε, δ)-DP by Canonne, Kamath and Steinke's conversion, rounded up. */
export const epsilonOf = (rho: number, delta: number): number => workbench().exports.cksEpsilon(rho, delta);
/** The largest ρ for which ρ-zCDP gives (ε, δ)-DP by the same conversion, rounded down. */
export const rhoOf = (epsilon: number, delta: number): number => workbench().exports.cksRho(epsilon, delta);
/** ρ in ledger units, rounded down. */
export const unitsOf = (rho: number): bigint => BigInt.asUintN(64, workbench().exports.rhoUnits(rho));

/** The noise that a share of the budget buys. */
export interface Noise {
  /** Squared L2 sensitivity in counts. */
  readonly delta2: bigint;
  /** σ² = p·2^−k, exactly. */
  readonly p: number;
  readonly k: number;
  /** The charge to the ledger, in units: at most the share. */
  readonly charge: bigint;
}

/** The squared sensitivities that were computed: the items of a release have few different structures. */
const squares = new Map<string, bigint>();

/** How many partitions of the rows and free predicates an item counts, and along which axes it is centred. */
export interface ItemStructure {
  readonly partitions: number;
  readonly free: number;
  /** As a query's structure has it. */
  readonly centred?: readonly number[];
}

/** Δ², the squared L2 sensitivity of an item of this structure, in the units of its answers. */
export function squaredSensitivity(
  { partitions, free, centred }: ItemStructure,
  neighbours: Neighbours,
  unit: Unit,
): bigint {
  const terms = [relationOf(neighbours), maxRowsOf(unit)] as const;
  const key = `${partitions},${free},${terms[0]},${terms[1]},${centred ?? ""}`;
  const known = squares.get(key);
  if (known !== undefined) return known;
  const engine = workbench();
  const { exports } = engine;
  const found = centred
    ? engine.scratch(() => exports.centredSquared(engine.place(Uint32Array.from(centred)), centred.length, ...terms))
    : exports.l2Squared(partitions, free, ...terms);
  const square = BigInt.asUintN(64, found);
  squares.set(key, square);
  return square;
}

/**
 * The sensitivity Δ of a selection's scores, in units of 2^−scaleBits counts. `kind` is the kind of score (SCORE_*);
 * every candidate has at most this structure.
 */
export function scoreSensitivity(
  { kind, scaleBits }: { kind: number; scaleBits: number },
  partitions: number,
  free: number,
  neighbours: Neighbours,
  unit: Unit,
): bigint {
  const { exports } = workbench();
  const args = [kind, partitions, free, relationOf(neighbours), maxRowsOf(unit), scaleBits] as const;
  return BigInt.asUintN(64, exports.scoreSensitivity(...args));
}

/**
 * Whether noise can have this σ²: it must be p·2^−k with p below 2^24 and k at most 30, and lie between 2^−10 and 2^46.
 */
export function isVariance(sigma2: number): boolean {
  const isInRange = sigma2 >= 2 ** -10 && sigma2 <= 2 ** 46;
  return isInRange && Math.fround(sigma2) === sigma2 && Number.isInteger(sigma2 * VARIANCE_UNITS);
}

const VARIANCE_BITS = 30;
const VARIANCE_UNITS = 2 ** VARIANCE_BITS;

/** The charge to the ledger for noise with this σ², in units: ⌈Δ²·2^51/σ²⌉. */
export function chargeOfNoise(delta2: bigint, sigma2: number): bigint {
  const units = BigInt(sigma2 * VARIANCE_UNITS);
  return ((delta2 << BigInt(51 + VARIANCE_BITS)) + units - 1n) / units;
}

/**
 * How a choice is drawn: by the exponential mechanism, on the candidates not chosen yet or, with replacement, on all of
 * them each time; or by permute-and-flip, on those not chosen yet.
 */
export type Law = "exponential" | "replacement" | "permute-and-flip";

/** The number of a law (LAW_*). */
export const lawNumber = (law: Law): number =>
  ({ exponential: LAW_PEELED, replacement: LAW_REPLACED, "permute-and-flip": LAW_FLIPPED })[law];

/** What an item may cost, in ledger units, and its structure. */
export interface PricedStructure extends ItemStructure {
  readonly share: bigint;
}

/**
 * For each item the smallest representable noise that costs at most its share.
 * @throws {StandinError} `budget/too-small` where a share is not above 0, or σ would exceed 2^23 rows
 */
export function noiseFor(items: readonly PricedStructure[], neighbours: Neighbours, unit: Unit): Noise[] {
  const engine = workbench();
  const delta2 = items.map((item) => squaredSensitivity(item, neighbours, unit));
  return engine.scratch(() => {
    const calls = new Calls(engine);
    const out = engine.alloc(SIGMA2_BYTES * items.length);
    for (const [at, { share }] of items.entries())
      calls.add("calibrate", share > 0n ? share : 0n, delta2[at], out + SIGMA2_BYTES * at);
    calls.run();
    const words = engine.readU32(out, (SIGMA2_BYTES * items.length) / 4);
    return items.map(({ share }, at) => {
      const field = (of: number) => words[(SIGMA2_BYTES * at + of) / 4];
      // A list of calls ends with the first that is refused, and p is never 0.
      if (!field(SIGMA2_P)) throw share > 0n ? noisy() : split();
      const charge = (BigInt(field(SIGMA2_CHARGE + 4)) << 32n) | BigInt(field(SIGMA2_CHARGE));
      return { delta2: delta2[at], p: field(SIGMA2_P), k: field(SIGMA2_K) | 0, charge };
    });
  });
}

/**
 * The sensitivity Δ of a selection's scores in counts (not in scaled units), and what the ledger is charged for the
 * selection: at most `share`.
 * @param picks how many candidates are chosen, each for an equal part of the share
 * @throws {StandinError} `budget/too-small` where the share is not above 0, or the choice would be left to chance alone
 */
export function selectionNoise(
  share: bigint,
  picks: number,
  { kind, scaleBits, law }: { kind: number; scaleBits: number; law: Law },
  partitions: number,
  free: number,
  neighbours: Neighbours,
  unit: Unit,
): { sensitivity: bigint; charge: bigint } {
  const instance = workbench();
  const sensitivity = (bits: number) => scoreSensitivity({ kind, scaleBits: bits }, partitions, free, neighbours, unit);
  if (share <= 0n) throw split();
  const part = share / BigInt(picks);
  // Permute-and-flip is charged ε₀²/2, four times as much as the exponential mechanism of the same ε₀.
  const bought = law === "permute-and-flip" ? part / 4n : part;
  const status = instance.scratch(() =>
    instance.exports.selectionRate(bought, sensitivity(scaleBits), instance.alloc(RATE_BYTES)),
  );
  if (status !== OK) throw tooSmall("leaves the choice of queries to chance", "use fewer rounds");
  return { sensitivity: sensitivity(0), charge: part * BigInt(picks) };
}

const noisy = () =>
  tooSmall(
    "gives noise of ± 8 million rows or more, which nothing can be learned through",
    "measure a smaller workload",
  );
const split = () => tooSmall("is too small to be split over so many items", "measure a smaller workload");

/**
 * The error for a budget that is too small: what such a budget does to the release, and what would help besides a
 * larger ε.
 */
function tooSmall(what: string, way: string): StandinError {
  return new StandinError("budget/too-small", `This budget ${what}.`, `Raise epsilon, or ${way}.`);
}
