// The vault's two outputs: noisy counts and chosen candidates. Each is charged and drawn in one call. A refusal leaves
// counts and ledger unchanged, and comes before any word is drawn.
import {
  ARGUMENT_REFUSED,
  BUDGET_EXCEEDED,
  KEY_REFUSED,
  LAW_FLIPPED,
  LAW_PEELED,
  LAW_REPLACED,
  OK,
  PURPOSE_NOISE,
  PURPOSE_SELECTION,
  SIGMA2_BYTES,
  SIGMA2_CHARGE,
  SIGMA2_K,
  SIGMA2_P,
} from "../layout";
import { calibrate, selectionRate } from "./accounting";
import { addGaussians, prepareGaussian } from "./discrete-gaussian";
import { flipInOrder, pickInOrder } from "./exponential";
import { charge, closeLedger, ledgerIsOpen, maxRows, openLedger, relation } from "./ledger";
import { centredSquared, l2Squared, scoreSensitivity } from "./sensitivity";
import { eraseKey, itemRefusal, openItem, takeKey } from "./stream";

const SIGMA2 = memory.data(16, 8);
const RATE = memory.data(8, 8);

/**
 * Begins a release of at most `budget` ledger units (2^−52 of ρ) for `neighbours` (ADD_REMOVE, REPLACE) and units of at
 * most `unitRows` rows. Returns OK, or VAULT_REFUSED if it is already open, the relation is unknown, there are no rows
 * per unit, or persons with several rows would be replaced.
 */
export function vaultOpen(budget: u64, neighbours: i32, unitRows: u32): i32 {
  return openLedger(budget, neighbours, unitRows);
}

/**
 * Gives the release its key: 32 fresh random bytes at `key`, which are overwritten with zeros. Returns OK, or
 * KEY_REFUSED where no release is open, for a second key, or if all bytes are zero.
 */
export function vaultKey(key: usize): i32 {
  return takeKey(key, ledgerIsOpen()) ? OK : KEY_REFUSED;
}

/** Ends the release and overwrites its key. The amount charged can still be read. */
export function vaultClose(): void {
  eraseKey();
  closeLedger();
}

/**
 * Replaces the `cells` true counts at `counts` (i32) by noisy ones, saturating. The item is a union of `partitions`
 * partitions and `free` free predicates; `units` is the most that it may be charged. Returns OK, NO_KEY, ITEM_REFUSED,
 * NOISE_TOO_LARGE, ARGUMENT_REFUSED (no structure) or BUDGET_EXCEEDED.
 *
 * Proof definition: (charge·2^−52)-zCDP for the release's relation and unit if the counts are those of such an item:
 * exact discrete Gaussian noise with variance parameter σ² ≥ Δ²·2^51/units, and Δ² from the structure. Clamping is
 * post-processing.
 */
export function measure(counts: usize, cells: u32, partitions: u32, free: u32, units: u64, item: u32): i32 {
  return addNoise(counts, cells, l2Squared(partitions, free, relation(), maxRows()), units, item);
}

/**
 * The same for a table that is centred along some axes (`centreCounts`), whose units are its own.
 * @param centred u32[axes]: the size of each axis along which the counts are centred, 0 for the others
 *
 * Proof definition: as for `measure`, with Δ² of such a table.
 */
export function measureCentred(counts: usize, cells: u32, centred: usize, axes: u32, units: u64, item: u32): i32 {
  return addNoise(counts, cells, centredSquared(centred, axes, relation(), maxRows()), units, item);
}

function addNoise(counts: usize, cells: u32, delta2: u64, units: u64, item: u32): i32 {
  if (delta2 == 0) return ARGUMENT_REFUSED;
  let refusal = itemRefusal(item);
  if (refusal == OK) refusal = calibrate(units, delta2, SIGMA2);
  if (refusal != OK) return refusal;
  if (!charge(load<u64>(SIGMA2, SIGMA2_CHARGE))) return BUDGET_EXCEEDED;
  openItem(PURPOSE_NOISE, item);
  prepareGaussian(load<u32>(SIGMA2, SIGMA2_P), load<i32>(SIGMA2, SIGMA2_K));
  addGaussians(counts, cells);
  return OK;
}

/**
 * Chooses `picks` of `m` candidates by a law (LAW_*) and their i64 `scores`, high scores first, and writes their
 * indices to `out` (u32) in the order of choice. The scores are of `kind` (SCORE_*) at 2^scaleBits per count, for
 * queries of at most `partitions` partitions and `free` free predicates. `scratch` has selectScratch(m, picks) bytes.
 * Returns OK, NO_KEY, ITEM_REFUSED, NOISE_TOO_LARGE, ARGUMENT_REFUSED (unless 1 ≤ picks ≤ m < 2^30, where picks may
 * exceed m if candidates can be picked again) or BUDGET_EXCEEDED.
 *
 * Proof definition: each pick is charged ⌊units/picks⌋, and together they are (charge·2^−52)-zCDP. The exponential
 * mechanism, on the candidates not picked yet or on all of them, has a range bounded by ε₀, and is ε₀²/8-zCDP.
 * Permute-and-flip is ε₀-DP, which is ε₀²/2-zCDP and no less: a quarter of the price, as that of the exponential
 * mechanism, gives its ε₀.
 */
export function select(
  scores: usize,
  m: u32,
  picks: u32,
  law: i32,
  kind: i32,
  partitions: u32,
  free: u32,
  scaleBits: u32,
  units: u64,
  item: u32,
  scratch: usize,
  out: usize,
): i32 {
  if (picks == 0 || m == 0 || m >= 1 << 30 || law < LAW_PEELED || law > LAW_FLIPPED) return ARGUMENT_REFUSED;
  if (picks > m && law != LAW_REPLACED) return ARGUMENT_REFUSED;
  const delta = scoreSensitivity(kind, partitions, free, relation(), maxRows(), scaleBits);
  const share = units / picks;
  let refusal = itemRefusal(item);
  if (refusal == OK) refusal = selectionRate(law == LAW_FLIPPED ? share >> 2 : share, delta, RATE);
  if (refusal != OK) return refusal;
  if (!charge(share * picks)) return BUDGET_EXCEEDED;
  openItem(PURPOSE_SELECTION, item);
  if (law == LAW_FLIPPED) flipInOrder(scores, m, picks, RATE, scratch, out);
  else pickInOrder(scores, m, picks, law == LAW_REPLACED, RATE, scratch, out);
  return OK;
}
