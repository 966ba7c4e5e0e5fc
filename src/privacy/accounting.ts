import { StandinError } from "../core/errors.js";
import {
  ADD_REMOVE,
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

/** Δ², the squared L2 sensitivity in counts of an item with this many partitions and free predicates. */
export function squaredSensitivity(partitions: number, free: number, neighbours: Neighbours, unit: Unit): bigint {
  const squared = workbench().exports.l2Squared(partitions, free, relationOf(neighbours), maxRowsOf(unit));
  return BigInt.asUintN(64, squared);
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
 * The smallest representable noise for which an item of this structure costs at most `share` ledger units.
 * @param partitions how many partitions of the rows the item counts
 * @param free how many predicates it counts outside those partitions
 * @throws {StandinError} `budget/too-small` where σ would exceed 2^23 rows
 */
export function noiseFor(share: bigint, partitions: number, free: number, neighbours: Neighbours, unit: Unit): Noise {
  const delta2 = squaredSensitivity(partitions, free, neighbours, unit);
  const instance = workbench();
  const noise = instance.scratch(() => {
    const out = instance.alloc(SIGMA2_BYTES);
    if (instance.exports.calibrate(share, delta2, out) !== OK) return undefined;
    const [p] = instance.readU32(out + SIGMA2_P, 1);
    const [k] = instance.readI32(out + SIGMA2_K, 1);
    const [low, high] = instance.readU32(out + SIGMA2_CHARGE, 2);
    return { delta2, p, k, charge: (BigInt(high) << 32n) | BigInt(low) };
  });
  if (!noise)
    throw tooSmall(
      "gives noise of ± 8 million rows or more, which nothing can be learned through",
      "measure a smaller workload",
    );
  return noise;
}

/**
 * The sensitivity Δ of a selection's scores in counts (not in scaled units), and what the ledger is charged for the
 * selection: at most `share`.
 * @param picks how many candidates are chosen, each for an equal part of the share
 * @throws {StandinError} `budget/too-small` where the choice would be left to chance alone
 */
export function selectionNoise(
  share: bigint,
  picks: number,
  { kind, scaleBits }: { kind: number; scaleBits: number },
  partitions: number,
  free: number,
  neighbours: Neighbours,
  unit: Unit,
): { sensitivity: bigint; charge: bigint } {
  const instance = workbench();
  const sensitivity = (bits: number) => scoreSensitivity({ kind, scaleBits: bits }, partitions, free, neighbours, unit);
  const part = share / BigInt(picks);
  const status = instance.scratch(() =>
    instance.exports.selectionRate(part, sensitivity(scaleBits), instance.alloc(RATE_BYTES)),
  );
  if (status !== OK) throw tooSmall("leaves the choice of queries to chance", "use fewer rounds");
  return { sensitivity: sensitivity(0), charge: part * BigInt(picks) };
}

/**
 * The error for a budget that is too small: what such a budget does to the release, and what would help besides a
 * larger ε.
 */
export function tooSmall(what: string, way: string): StandinError {
  return new StandinError("budget/too-small", `This budget ${what}.`, `Raise epsilon, or ${way}.`);
}
