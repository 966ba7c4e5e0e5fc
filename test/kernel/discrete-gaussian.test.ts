import { describe, expect, it } from "vitest";
import { PURPOSE_NOISE } from "../../src/engine/layout.js";
import { draw, keyBytes, openVault } from "../privacy/vault.js";
import { exponentOf, proposalBitsOf, sample } from "../reference/discrete-gaussian.js";
import { Stream } from "../reference/stream.js";

/** Every k with the ends and middles of p: all representable variances lie between them. */
const VARIANCES = Array.from({ length: 54 }, (_, i) => i - 23).flatMap((k) =>
  [2 ** 20, 2 ** 22 + 1, 2 ** 23, 11863283, 2 ** 24 - 1]
    .filter((p) => (p >= 2 ** 23 || k === 30) && p * 2 ** -k <= 2 ** 46)
    .map((p) => [p, k] as const),
);

it("draws what the oracle draws from the same stream, for all variances", () => {
  const vault = openVault({ key: 1 });
  VARIANCES.forEach(([p, k], item) => {
    const stream = new Stream(keyBytes(1), PURPOSE_NOISE, item);
    const expected = Array.from({ length: 300 }, () => Number(sample(stream, BigInt(p), BigInt(k))));
    expect([...draw(vault, { p, k }, 300, item)]).toEqual(expected);
  });
});

describe("acceptance of a proposal", () => {
  it("keeps A below 2^32, D at most 2^55 and every shift in range, for all variances", () => {
    const { proposalBits } = openVault().exports;
    for (const [p, k] of VARIANCES) {
      const j = proposalBits(p, k);
      expect(j).toBe(proposalBitsOf(p, k));
      const shift = j + k;
      expect(shift).toBeGreaterThanOrEqual(0);
      expect(shift).toBeLessThan(32);
      const spread = 1 + 2 * j + k;
      expect(spread).toBeGreaterThanOrEqual(0);
      expect(spread).toBeLessThanOrEqual(31);
      const largest = (1n << BigInt(32 - shift)) - 1n;
      expect((largest << BigInt(shift)) - BigInt(p) < 1n << 32n).toBe(true);
      expect(BigInt(p) << BigInt(spread) <= 1n << 55n).toBe(true);
      const [n, d] = exponentOf(largest + 1n, BigInt(p), BigInt(k));
      expect(n > 500n * d).toBe(true);
    }
  });

  it("refuses every magnitude whose square would not fit, instead of wrapping it to a small exponent", () => {
    const { countAccepted } = openVault().exports;
    let item = 0;
    for (const [p, k] of VARIANCES) {
      const shift = proposalBitsOf(p, k) + k;
      for (const bits of [32 - shift, 33 - shift, 48 - shift, 63 - shift, 63])
        for (const offset of [0n, 1n, BigInt(p) >> BigInt(shift)])
          expect(countAccepted((1n << BigInt(bits)) + offset, 40, p, k, item++)).toBe(0);
    }
  });

  it("has the stated probability at magnitudes below", () => {
    const { countAccepted } = openVault().exports;
    let item = 0;
    for (const [p, k] of VARIANCES) {
      const sigma = Math.sqrt(p * 2 ** -k);
      for (const magnitude of [0, 1, 3, Math.round(sigma), Math.round(1.7 * sigma), Math.round(2.6 * sigma)]) {
        const [n, d] = exponentOf(BigInt(magnitude), BigInt(p), BigInt(k));
        const probability = Math.exp(-Number(n) / Number(d));
        const trials = 4000;
        const accepted = countAccepted(BigInt(magnitude), trials, p, k, item++);
        // Bernstein: false alarm rate below 2·exp(−24) per comparison, 1e-6 for fewer than 20,000 of them.
        const allowed = 8 + Math.sqrt(64 + 48 * trials * probability * (1 - probability));
        expect(Math.abs(accepted - trials * probability)).toBeLessThanOrEqual(allowed);
      }
    }
  });
});
