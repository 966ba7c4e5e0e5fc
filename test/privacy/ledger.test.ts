import { describe, expect, it } from "vitest";
import {
  ADD_REMOVE,
  BUDGET_EXCEEDED,
  LAW_FLIPPED,
  LAW_PEELED,
  LAW_REPLACED,
  NOISE_TOO_LARGE,
  OK,
  REPLACE,
  SCORE_L1,
  SCORE_MAX,
  SIGMA2_BYTES,
  SIGMA2_CHARGE,
} from "../../src/engine/layout.js";
import { fractionOf, rhoOf, UNITS_PER_RHO } from "../reference/accounting.js";
import { openVault, unsigned } from "./vault.js";

interface Printed {
  p: number;
  k: number;
  delta2: number;
}

/** Σ Δ²/(2p·2^−k) ≤ rho, exactly. */
function isWithin(items: readonly Printed[], rho: number): boolean {
  let [sum, denominator] = [0n, 1n];
  const terms = new Map<string, number>();
  for (const { p, k, delta2 } of items) terms.set(`${delta2} ${p} ${k}`, (terms.get(`${delta2} ${p} ${k}`) ?? 0) + 1);
  for (const [term, times] of terms) {
    const [delta2, p, k] = term.split(" ").map(BigInt);
    // delta2·2^k/(2p), with k + 64 ≥ 0
    const [n, d] = [(BigInt(times) * delta2) << (k + 64n), p << 65n];
    [sum, denominator] = [sum * d + n * denominator, denominator * d];
  }
  const [n, d] = fractionOf(rho);
  return sum * d <= n * denominator;
}

const STRUCTURES = [
  [1, 0],
  [5, 0],
  [0, 4],
  [2, 3],
] as const;

describe("W items of equal shares", () => {
  for (const relation of [ADD_REMOVE, REPLACE])
    for (const epsilon of [0.1, 1, 10])
      it(`never overspend ε = ${epsilon} under relation ${relation}, for W = 1 … 400`, () => {
        const rho = rhoOf(epsilon, 1e-9);
        const vault = openVault({ rho: 1, relation });
        const { cksRho, rhoUnits, calibrate, l2Squared, measure, ledgerSpent, vaultClose } = vault.exports;
        vaultClose();
        const budget = cksRho(epsilon, 1e-9);
        const total = unsigned(rhoUnits(budget));
        const out = vault.alloc(SIGMA2_BYTES);
        const counts = vault.alloc(4);
        const deltas2 = STRUCTURES.map(([partitions, free]) => l2Squared(partitions, free, relation, 1));
        for (let w = 1; w <= 400; w++) {
          openVault({ rho: budget, relation, key: w }, vault);
          const share = total / BigInt(w);
          const items: Printed[] = [];
          let charged = 0n;
          let passed = 0;
          for (let item = 0; item < w; item++) {
            const shape = w % 3 ? item % 4 : 0;
            calibrate(share, deltas2[shape], out);
            charged += unsigned(vault.i64((out + SIGMA2_CHARGE) >>> 0, 1)[0]);
            items.push({ p: vault.u32(out, 1)[0], k: vault.i32(out + 4, 1)[0], delta2: Number(deltas2[shape]) });
            const [partitions, free] = STRUCTURES[shape];
            if (measure(counts, 1, partitions, free, share, item) === OK) passed++;
          }
          expect(passed).toBe(w);
          expect(unsigned(ledgerSpent())).toBe(charged);
          expect(charged <= total).toBe(true);
          expect(isWithin(items, budget)).toBe(true);
          expect(isWithin(items, rho)).toBe(true);
          // … and little is wasted, so half a share more would not fit.
          const extra = items[0];
          expect(isWithin([...items, { ...extra, p: 2 * extra.p }], rho)).toBe(false);
          expect(measure(counts, 1, 1, 0, share / 2n, w)).toBe(BUDGET_EXCEEDED);
          vaultClose();
        }
      });
});

describe("the filter", () => {
  const ROUND = 1n << 40n;

  it("refuses an item that exceeds the rest, charges nothing for it, and lets smaller items pass later", () => {
    const vault = openVault({ rho: 1 });
    const { measure, rhoUnits, ledgerSpent } = vault.exports;
    const counts = vault.place(Int32Array.from([5, 6, 7]));
    expect(measure(counts, 3, 1, 0, rhoUnits(0.6), 0)).toBe(OK);
    const spent = unsigned(ledgerSpent());
    expect(rhoUnits(0.6) - spent < ROUND).toBe(true);
    const before = vault.i32(counts, 3).slice();
    expect(measure(counts, 3, 1, 0, rhoUnits(0.6), 1)).toBe(BUDGET_EXCEEDED);
    expect(measure(counts, 3, 1, 0, (1n << 64n) - 1n, 1)).toBe(BUDGET_EXCEEDED);
    expect(unsigned(ledgerSpent())).toBe(spent);
    expect(vault.i32(counts, 3)).toEqual(before);
    expect(measure(counts, 3, 1, 0, rhoUnits(0.3), 1)).toBe(OK);
    expect(vault.i32(counts, 3)).not.toEqual(before);
  });

  it.each([
    ["peeled", LAW_PEELED],
    ["replaced", LAW_REPLACED],
    ["flipped", LAW_FLIPPED],
  ])("charges a selection the whole shares of its picks, and refuses it like a measurement: %s", (_, law) => {
    const vault = openVault({ rho: 1 });
    const { select, rhoUnits, selectScratch, ledgerSpent } = vault.exports;
    const scores = vault.place(BigInt64Array.from([1n, 2n, 3n, 4n]));
    const scratch = vault.alloc(selectScratch(4, 3));
    const out = vault.place(Uint32Array.from([77, 77, 77]));
    const units = rhoUnits(0.7);
    expect(select(scores, 4, 3, law, SCORE_L1, 2, 1, 4, units, 0, scratch, out)).toBe(OK);
    expect(unsigned(ledgerSpent())).toBe((units / 3n) * 3n);
    const chosen = vault.u32(out, 3).slice();
    expect(select(scores, 4, 3, law, SCORE_L1, 2, 1, 4, units, 1, scratch, out)).toBe(BUDGET_EXCEEDED);
    expect(select(scores, 4, 3, law, SCORE_MAX, 1, 0, 33, units, 1, scratch, out)).toBe(NOISE_TOO_LARGE);
    expect(select(scores, 4, 3, law, SCORE_MAX, 1, 0, 0, 2n, 1, scratch, out)).toBe(NOISE_TOO_LARGE);
    expect(unsigned(ledgerSpent())).toBe((units / 3n) * 3n);
    expect(vault.u32(out, 3)).toEqual(chosen);
  });

  it("holds budgets up to ρ = 4095", () => {
    const vault = openVault({ rho: 1e9 });
    const { measure, rhoUnits, ledgerSpent } = vault.exports;
    const budget = unsigned(rhoUnits(4095));
    expect(budget > 4094n * UNITS_PER_RHO).toBe(true);
    // σ² is at least 2^−10, which 512 pays for.
    for (let item = 0; item < 7; item++) expect(measure(vault.alloc(4), 1, 1, 0, budget, item)).toBe(OK);
    expect(unsigned(ledgerSpent())).toBe(7n * 512n * UNITS_PER_RHO);
    expect(measure(vault.alloc(4), 1, 1, 0, budget, 7)).toBe(BUDGET_EXCEEDED);
  });
});
