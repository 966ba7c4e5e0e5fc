// Through the door. Keys are fixed; each test would fail for one correct mechanism in a million.
import { describe, expect, it } from "vitest";
import { LAW_FLIPPED, LAW_PEELED, LAW_REPLACED, OK, SCORE_L1, SCORE_MAX } from "../../src/engine/layout.js";
import { exponentialLaw, flippedLaw, gumbelTop, orderedChoices, peelingProbability } from "../reference/exponential.js";
import { ALPHA, goodnessOfFit, sameLaw, uniforms } from "../reference/statistics.js";
import { openVault } from "./vault.js";

interface Selection {
  scores: readonly number[];
  picks: number;
  /** The sensitivity, obtained with the L1 score of this many partitions. */
  delta: number;
  rho: number;
  scaleBits?: number;
  law?: number;
}

/** All that `picks` of m candidates can be, in order. */
const outcomes = (m: number, picks: number, law = LAW_PEELED): number[][] =>
  law === LAW_REPLACED
    ? Array.from({ length: m ** picks }, (_, number) =>
        Array.from({ length: picks }, (_, at) => Math.floor(number / m ** (picks - 1 - at)) % m),
      )
    : orderedChoices(m, picks);

/** How often each ordered choice was made in `draws` selections. */
function frequencies({ scores, picks, delta, rho, scaleBits = 0, law }: Selection, draws: number, key = 1): number[] {
  const vault = openVault({ key });
  const { select, rhoUnits, selectScratch } = vault.exports;
  const m = scores.length;
  const at = vault.place(BigInt64Array.from(scores.map(BigInt)));
  const scratch = vault.alloc(selectScratch(m, picks));
  const out = vault.alloc(4 * picks);
  const chosen = vault.u32(out, picks);
  const choices = outcomes(m, picks, law);
  const cells = new Map(choices.map((choice, cell) => [numberOf(choice, m), cell]));
  const counts = choices.map(() => 0);
  const units = rhoUnits(rho);
  for (let item = 0; item < draws; item++) {
    const result = select(
      ...([at, m, picks, law ?? LAW_PEELED, SCORE_L1, delta, 0, scaleBits, units, item, scratch, out] as const),
    );
    if (result !== OK) throw new Error(`refused: ${result}`);
    counts[cells.get(numberOf(chosen, m)) as number]++;
  }
  return counts;
}

const numberOf = (choice: ArrayLike<number>, m: number) =>
  Array.from(choice).reduce((number, index) => number * m + index, 0);

const law = ({ scores, picks, delta, rho, scaleBits = 0 }: Selection) =>
  orderedChoices(scores.length, picks).map((choice) =>
    peelingProbability(choice, scores, Math.sqrt((8 * rho) / picks), delta * 2 ** scaleBits),
  );

describe("one pick of errors 0, 40, 80 at ε₀ = .1", () => {
  const printed = {
    1: [0.01587624, 0.11731043, 0.86681333],
    2: [0.09003057, 0.24472847, 0.66524096],
    5: [0.21198272, 0.31624106, 0.47177622],
  };

  it.each([1, 2, 5] as const)("has the published frequencies at sensitivity %d", (delta) => {
    const selection = { scores: [0, 40, 80], picks: 1, delta, rho: 0.00125 };
    law(selection).forEach((probability, i) => {
      expect(probability).toBeCloseTo(printed[delta][i], 7);
    });
    expect(goodnessOfFit(frequencies(selection, 1e6), printed[delta])).toBeGreaterThan(ALPHA);
  });

  it("is distinguished from ε₀ = .11 and from sensitivity 2 by 10^5 draws", () => {
    const counts = frequencies({ scores: [0, 40, 80], picks: 1, delta: 1, rho: 0.00125 }, 1e5);
    expect(goodnessOfFit(counts, exponentialLaw([0, 40, 80], 0.11, 1))).toBeLessThan(ALPHA);
    expect(goodnessOfFit(counts, printed[2])).toBeLessThan(ALPHA);
  });
});

describe("ordered picks", () => {
  it("two of 0, 40, 80 at ρ = .0025 have the published frequencies", () => {
    const selection = { scores: [0, 40, 80], picks: 2, delta: 1, rho: 0.0025 };
    // (0,1), (0,2), (1,0), (1,2), (2,0), (2,1)
    const printed = [0.0018925, 0.0139837, 0.00211, 0.1152005, 0.1033267, 0.7634866];
    law(selection).forEach((probability, i) => {
      expect(probability).toBeCloseTo(printed[i], 6);
    });
    const counts = frequencies(selection, 1e6);
    expect(goodnessOfFit(counts, law(selection))).toBeGreaterThan(ALPHA);
    expect(
      goodnessOfFit(
        counts.map((n) => Math.round(n / 10)),
        law({ ...selection, rho: 0.003 }),
      ),
    ).toBeLessThan(ALPHA);
  });

  it("have the law of one-shot noisy maxima (Gumbel)", () => {
    const selection = { scores: [10, 35, 12, 60, -30], picks: 3, delta: 1, rho: 0.003 };
    const epsilon = Math.sqrt((8 * selection.rho) / 3);
    const uniform = uniforms(7);
    const cells = new Map(orderedChoices(5, 3).map((choice, cell) => [String(choice), cell]));
    const gumbel = new Array<number>(cells.size).fill(0);
    for (let i = 0; i < 2e5; i++)
      gumbel[cells.get(String(gumbelTop(selection.scores, 3, epsilon, 1, uniform))) as number]++;
    const peeled = frequencies(selection, 2e5);
    expect(sameLaw(gumbel, peeled)).toBeGreaterThan(ALPHA);
    expect(goodnessOfFit(peeled, law(selection))).toBeGreaterThan(ALPHA);
    expect(sameLaw(gumbel, frequencies({ ...selection, rho: 0.0036 }, 2e5, 2))).toBeLessThan(ALPHA);
  });

  it.each([
    { scaleBits: 0, gap: 1e9, rho: 0.0025, near: [0, 40, 80] },
    { scaleBits: 20, gap: 1e9, rho: 0.0025, near: [0, 40, 80] },
    { scaleBits: 31, gap: 1e9, rho: 0.0025, near: [0, 40, 80] },
    { scaleBits: 0, gap: 2 ** 33, rho: 2.5, near: [0, 1, 2, 3] },
  ])("keep their law $gap below the first one, with scores at 2^$scaleBits", ({ scaleBits, gap, rho, near }) => {
    const scores = [...near, gap].map((score) => score * 2 ** scaleBits);
    const counts = frequencies({ scores, picks: 2, delta: 1, rho, scaleBits }, 1e5 / Math.ceil(rho * 30));
    // The choices that begin with the first one, which is the last candidate, come last.
    expect(counts.slice(0, -near.length).every((count) => count === 0)).toBe(true);
    const expected = exponentialLaw(near, Math.sqrt(4 * rho), 1);
    expect(goodnessOfFit(counts.slice(-near.length), expected)).toBeGreaterThan(ALPHA);
  });

  it("are uniform among candidates that are equal, or more than 2^34 exponents below the best", () => {
    const equal = { scores: [7, 7, 7], picks: 2, delta: 1, rho: 0.0025 };
    expect(goodnessOfFit(frequencies(equal, 1e5), new Array(6).fill(1 / 6))).toBeGreaterThan(ALPHA);
    const counts = frequencies({ ...equal, scores: [-(2 ** 52), 2 ** 52, -(2 ** 52) - 2 ** 20] }, 1e5);
    expect(counts[2] + counts[3]).toBe(1e5);
    expect(goodnessOfFit([counts[2], counts[3]], [0.5, 0.5])).toBeGreaterThan(ALPHA);
  });
});

describe("picks with replacement", () => {
  it("are independent, each with the law of one pick, and may be more than there are candidates", () => {
    const selection = { scores: [0, 40, 80], picks: 4, delta: 1, rho: 0.005, law: LAW_REPLACED };
    const one = exponentialLaw(selection.scores, 0.1, 1);
    const law = outcomes(3, 4, LAW_REPLACED).map((choice) => choice.reduce((chance, i) => chance * one[i], 1));
    const counts = frequencies(selection, 2e5);
    expect(goodnessOfFit(counts, law)).toBeGreaterThan(ALPHA);
    expect(goodnessOfFit(frequencies({ ...selection, rho: 0.006 }, 2e5), law)).toBeLessThan(ALPHA);
  });
});

describe("permute-and-flip", () => {
  const selection = { scores: [0, 40, 80, 75], picks: 1, delta: 1, rho: 0.005, law: LAW_FLIPPED };

  it("has its law at ε₀ = √(2ρ): a charge of ε₀²/8 would have bought twice that", () => {
    const counts = frequencies(selection, 2e5);
    expect(goodnessOfFit(counts, flippedLaw(selection.scores, 0.1, 1))).toBeGreaterThan(ALPHA);
    expect(goodnessOfFit(counts, flippedLaw(selection.scores, 0.2, 1))).toBeLessThan(ALPHA);
    expect(goodnessOfFit(counts, exponentialLaw(selection.scores, 0.1, 1))).toBeLessThan(ALPHA);
  });

  it("has that law among those that are left", () => {
    const counts = frequencies({ ...selection, picks: 2, rho: 0.01 }, 2e5);
    const law = outcomes(4, 2).map(([first, second]) => {
      const left = selection.scores.filter((_, i) => i !== first);
      const chance = flippedLaw(left, 0.1, 1)[second > first ? second - 1 : second];
      return flippedLaw(selection.scores, 0.1, 1)[first] * chance;
    });
    expect(goodnessOfFit(counts, law)).toBeGreaterThan(ALPHA);
  });

  it("is uniform among equals", () => {
    const counts = frequencies({ ...selection, scores: [7, 7, 7], picks: 2 }, 1e5);
    expect(goodnessOfFit(counts, new Array(6).fill(1 / 6))).toBeGreaterThan(ALPHA);
  });
});

describe("many candidates", () => {
  const M = 3000;

  it("are each picked once if all are picked, in the order of scores if these are far apart", () => {
    const vault = openVault();
    const { select, rhoUnits, selectScratch } = vault.exports;
    const uniform = uniforms(3);
    const order = Array.from({ length: M }, (_, i) => i).sort(() => uniform() - 0.5);
    const scores = new BigInt64Array(M);
    order.forEach((candidate, place) => {
      scores[candidate] = BigInt(-place) * 10n ** 5n;
    });
    const out = vault.alloc(4 * M);
    const scratch = vault.alloc(selectScratch(M, M));
    expect(select(vault.place(scores), M, M, LAW_PEELED, SCORE_MAX, 1, 0, 0, rhoUnits(3), 0, scratch, out)).toBe(OK);
    expect([...vault.u32(out, M)]).toEqual(order);
  });

  it("are picked as often as the law says if most lie far below, singly or as the first of two hundred", () => {
    // One at 400, the others within 0 … 279: half of the weight at ε₀ = .1 lies six to twenty exponents below the best.
    const scores = Array.from({ length: M }, (_, i) => (i === 1234 ? 400 : (i * 7919) % 280));
    const vault = openVault();
    const { select, rhoUnits, selectScratch } = vault.exports;
    const at = vault.place(BigInt64Array.from(scores.map(BigInt)));
    const scratch = vault.alloc(selectScratch(M, 200));
    const out = vault.alloc(4 * 200);
    let item = 0;
    const firstPicks = (picks: number, runs: number) => {
      const units = rhoUnits(0.00125 * picks);
      const seen = new Array<number>(401).fill(0);
      for (let run = 0; run < runs; run++) {
        if (select(at, M, picks, LAW_PEELED, SCORE_MAX, 1, 0, 0, units, item++, scratch, out) !== OK)
          throw new Error("refused");
        seen[scores[vault.u32(out, 1)[0]]]++;
      }
      return seen;
    };
    const expected = new Array<number>(401).fill(0);
    exponentialLaw(scores, 0.1, 1).forEach((probability, i) => {
      expected[scores[i]] += probability;
    });
    expect(expected[400]).toBeLessThan(0.8);
    expect(goodnessOfFit(firstPicks(1, 20_000), expected)).toBeGreaterThan(ALPHA);
    expect(goodnessOfFit(firstPicks(200, 5000), expected)).toBeGreaterThan(ALPHA);
  });
});
