// Keys are fixed. Each test would fail for one correct sampler in a million.
import { describe, expect, it } from "vitest";
import { binnedLaw, cellOf, discreteGaussian } from "../reference/discrete-gaussian.js";
import { ALPHA, correlationScore, goodnessOfFit, normal } from "../reference/statistics.js";
import { draw, openVault, type Variance, variance } from "./vault.js";

/** The goodness of fit of draws, in cells an eighth of σ wide (at least 1), out to eight σ. */
function fitness(draws: Int32Array, sigma2: number): number {
  const width = Math.max(1, Math.floor(Math.sqrt(sigma2) / 8));
  const bins = Math.ceil((8 * Math.max(1, Math.sqrt(sigma2))) / width);
  const observed = new Array<number>(2 * bins + 2).fill(0);
  for (const y of draws) observed[cellOf(y, width, bins)]++;
  return goodnessOfFit(observed, binnedLaw(sigma2, width, bins));
}

const sigma2Of = ({ p, k }: Variance) => p * 2 ** -k;

const VARIANCES: Record<string, Variance> = {
  "2^−10": { p: 2 ** 20, k: 30 },
  ".0625 with 24 odd bits": { p: 2 ** 24 - 3, k: 28 },
  ".25": variance(0.25),
  "1": variance(1),
  "2.9 (σ far from the proposal's scale)": variance(2.9),
  "30.2": variance(30.2),
  "11.3 with 24 odd bits": { p: 11863283, k: 20 },
  "10^12": variance(1e12),
};

describe("the discrete Gaussian's law", () => {
  it("in the oracle is the published one", () => {
    for (const [sigma2, ...printed] of [
      [0.25, 0.78657071, 0.10645077, 2.638651e-4],
      [1, 0.39894228, 0.24197072, 0.05399097],
      [30.2, 0.07259498, 0.07140297, 0.0679431],
    ]) {
      const law = discreteGaussian(sigma2);
      printed.forEach((probability, y) => {
        expect(law[y]).toBeCloseTo(probability, 8);
      });
    }
    const quarter = discreteGaussian(0.25).reduce((sum, probability, y) => sum + 2 * probability * y * y, 0);
    expect(quarter).toBeCloseTo(0.21501268, 8);
  });

  it.each(Object.entries(VARIANCES))("at σ² = %s is the sampler's, by 10^6 draws", (_, sigma2) => {
    expect(fitness(draw(openVault(), sigma2, 1e6, 0), sigma2Of(sigma2))).toBeGreaterThan(ALPHA);
  });

  it.each([".25", "1", "30.2", "10^12", "11.3 with 24 odd bits"])(
    "at σ² = %s is distinguished from σ × .9 and σ × 1.1 by 10^5 draws",
    (name) => {
      const stated = sigma2Of(VARIANCES[name]);
      for (const factor of [0.9, 1.1]) {
        const draws = draw(openVault(), variance(stated * factor ** 2), 1e5, 0);
        expect(fitness(draws, stated)).toBeLessThan(ALPHA);
      }
    },
  );
});

describe("streams", () => {
  const COUNT = 4000;
  const streams = () => [
    ...Array.from({ length: 40 }, (_, item) => ({ key: 1, item })),
    ...Array.from({ length: 10 }, (_, i) => ({ key: 2 + i, item: 0 })),
  ];
  const noise = ({ key, item }: { key: number; item: number }) => draw(openVault({ key }), variance(100), COUNT, item);
  // Correlations of all pairs, with the Bonferroni correction.
  const worst = (vectors: Int32Array[]) => {
    let least = 1;
    for (let i = 0; i < vectors.length; i++)
      for (let j = 0; j < i; j++)
        least = Math.min(least, 2 * normal(-Math.abs(correlationScore(vectors[i], vectors[j]))));
    return (least * vectors.length * (vectors.length - 1)) / 2;
  };

  it("of 40 items and of 11 keys, each in its own instance, are neither equal nor correlated", () => {
    const vectors = streams().map(noise);
    expect(new Set(vectors.map(String)).size).toBe(vectors.length);
    expect(worst(vectors)).toBeGreaterThan(ALPHA);
  });

  it("that share a fifth of their noise would be detected", () => {
    const vectors = streams().slice(0, 40).map(noise);
    vectors[7] = vectors[7].map((y, i) => (i % 5 ? y : vectors[3][i]));
    expect(worst(vectors)).toBeLessThan(ALPHA);
  });

  it("continue across items of one vault, and restart only with a new key", () => {
    const vault = openVault();
    const inTurn = [0, 1, 2].map((item) => draw(vault, variance(100), COUNT, item));
    expect(inTurn).toEqual([0, 1, 2].map((item) => noise({ key: 1, item })));
    vault.exports.vaultClose();
    expect(draw(openVault({ key: 2 }, vault), variance(100), COUNT, 0)).toEqual(noise({ key: 2, item: 0 }));
  });
});
