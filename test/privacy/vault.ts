// A vault for tests: an engine with an open release and a key made from a number.

import { ADD_REMOVE, KEY_BYTES, OK } from "../../src/engine/layout.js";
import { type Engine, instance } from "../engine.js";
import { uniforms } from "../reference/statistics.js";

export interface VaultTerms {
  /** The budget in ρ. */
  rho?: number;
  relation?: number;
  maxRows?: number;
  key?: number;
}

/** Opens a release on a fresh engine, or on the given one. */
export function openVault(
  { rho = 4000, relation = ADD_REMOVE, maxRows = 1, key = 1 }: VaultTerms = {},
  engine = instance(),
): Engine {
  const at = engine.place(keyBytes(key));
  if (engine.exports.vaultOpen(engine.exports.rhoUnits(rho), relation, maxRows) !== OK) throw new Error("not opened");
  if (engine.exports.vaultKey(at) !== OK) throw new Error("no key");
  return engine;
}

export function keyBytes(seed: number): Uint8Array {
  const uniform = uniforms(seed);
  return Uint8Array.from({ length: KEY_BYTES }, () => Math.floor(uniform() * 256));
}

export interface Variance {
  p: number;
  k: number;
}

/** The representable variance nearest to sigma2. */
export function variance(sigma2: number): Variance {
  const k = Math.min(30, 23 - Math.floor(Math.log2(sigma2)));
  return { p: Math.round(sigma2 * 2 ** k), k };
}

/** `count` raw draws of the discrete Gaussian under the vault's key. */
export function draw(vault: Engine, { p, k }: Variance, count: number, item: number): Int32Array {
  const mark = vault.exports.mark();
  const out = vault.alloc(4 * count);
  if (vault.exports.drawGaussians(out, count, p, k, item) !== OK) throw new Error("draws refused");
  const draws = vault.i32(out, count).slice();
  vault.exports.rewind(mark);
  return draws;
}

/** The ledger's unsigned integers, which cross the wall as signed ones. */
export const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
