// Word by word; the law of what comes through the door is tested in test/privacy/selection.test.ts.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  LAW_FLIPPED,
  LAW_PEELED,
  LAW_REPLACED,
  OK,
  PURPOSE_SELECTION,
  RATE_A,
  RATE_B,
  RATE_BYTES,
  SCORE_MAX,
} from "../../src/engine/layout.js";
import type { Engine } from "../engine.js";
import { keyBytes, openVault } from "../privacy/vault.js";
import { drawnFlips, drawnPicks } from "../reference/exponential.js";
import { Stream } from "../reference/stream.js";

const RHO_A_PICK = 0.005; // ε₀ = .2

/** What the engine picks by the stream of an item. */
function enginePicks(
  vault: Engine,
  scores: readonly bigint[],
  picks: number,
  law: number,
  rho: number,
  item: number,
): number[] {
  const { select, selectScratch, rhoUnits, mark, rewind } = vault.exports;
  const bottom = mark();
  const [m, units] = [scores.length, rhoUnits(rho * picks)];
  const [scratch, out] = [vault.alloc(selectScratch(m, picks)), vault.alloc(4 * picks)];
  const placed = vault.place(BigInt64Array.from(scores));
  expect(select(placed, m, picks, law, SCORE_MAX, 1, 0, 0, units, item, scratch, out)).toBe(OK);
  const chosen = [...vault.u32(out, picks)];
  rewind(bottom);
  return chosen;
}

/** The exponent a·2^−b of one step of a score that a pick of this price has. */
function rateOf(vault: Engine, picks: number, rho: number): [a: bigint, b: bigint] {
  const out = vault.alloc(RATE_BYTES);
  expect(vault.exports.selectionRate(vault.exports.rhoUnits(rho * picks) / BigInt(picks), 1n, out)).toBe(OK);
  return [BigInt(vault.u32(out + RATE_A, 1)[0]), BigInt(vault.u32(out + RATE_B, 1)[0])];
}

function expectOraclePicks(
  scores: readonly bigint[],
  picks: number,
  rho: number,
  key: number,
  items: number,
  law = LAW_PEELED,
): void {
  const vault = openVault({ key });
  const isFlipped = law === LAW_FLIPPED;
  // Permute-and-flip costs four times as much.
  const rate = rateOf(vault, picks, isFlipped ? rho / 4 : rho);
  for (let item = 0; item < items; item++) {
    const stream = new Stream(keyBytes(key), PURPOSE_SELECTION, item);
    const expected = isFlipped
      ? drawnFlips(stream, scores, picks, ...rate)
      : drawnPicks(stream, scores, picks, ...rate, law === LAW_REPLACED);
    expect(enginePicks(vault, scores, picks, law, rho, item)).toEqual(expected);
  }
}

it.each([
  ["peeled", LAW_PEELED],
  ["replaced", LAW_REPLACED],
  ["flipped", LAW_FLIPPED],
])("picks what the oracle picks by the same stream, of scores near each other or far apart: %s", (_, law) => {
  const scores = fc
    .constantFrom(10, 300, 5000, 2 ** 40)
    .chain((span) =>
      fc.array(fc.maxSafeInteger(), { minLength: 2, maxLength: 30 }).map((all) => all.map((n) => n % span)),
    );
  fc.assert(
    fc.property(scores, fc.integer({ min: 2, max: 30 }), fc.nat(), (some, most, key) => {
      expectOraclePicks(some.map(BigInt), Math.min(most, some.length), RHO_A_PICK, key, 5, law);
    }),
    { seed: 1, numRuns: 60 },
  );
});

it("makes a single pick as the oracle does, of candidates that are sorted no further than its levels", () => {
  const scores = Array.from({ length: 200 }, (_, at) => BigInt((at * 7919) % 500));
  expectOraclePicks(scores, 1, RHO_A_PICK, 3, 200);
  expectOraclePicks(scores, 300, RHO_A_PICK, 3, 2, LAW_REPLACED);
});

it("takes candidates more than 2^34 exponents below the best for equally far", () => {
  const ends = [-(2n ** 60n), 2n ** 60n, -(2n ** 59n), -(2n ** 59n) - 1n];
  expectOraclePicks(ends, 4, RHO_A_PICK, 4, 50);
  expectOraclePicks(ends, 3, 1000, 5, 1);
  expectOraclePicks(ends, 4, RHO_A_PICK, 4, 50, LAW_FLIPPED);
});
