import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NOISE_TOO_LARGE,
  OK,
  RATE_A,
  RATE_B,
  RATE_BYTES,
  SIGMA2_BYTES,
  SIGMA2_CHARGE,
} from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { unsigned } from "../privacy/vault.js";
import {
  chargeOf,
  deltaOf,
  epsilonOf,
  fractionOf,
  logOf,
  rhoOf,
  smallestSigma2,
  UNITS_PER_RHO,
} from "../reference/accounting.js";

const engine = instance();
const { cksDelta, cksEpsilon, cksRho, rhoUnits } = engine.exports;

// (ε, δ, ρ), computed at 60 digits.
const RHO_VECTORS = [
  [0.01, 1e-9, 2.09543439626e-6],
  [0.1, 1e-12, 1.21089332784e-4],
  [1, 1e-9, 1.49730577e-2],
  [2, 1e-6, 0.0881526883799],
  [8, 1e-10, 0.665103846918],
  [20, 1e-9, 3.59738623009],
  [1, 0.1, 0.268312914014],
  [1e-4, 1e-9, 3.22885655798e-10],
  [1, 1e-6, 0.02435597],
  [1, 1e-5, 0.030556595],
  [3, 1e-5, 0.22424917],
  [0.1, 48842 ** -2, 1.6747617e-4],
  [0.25, 48842 ** -2, 9.8524627e-4],
  [0.5, 48842 ** -2, 3.7583416e-3],
  [1, 48842 ** -2, 0.014270343],
  [10, 48842 ** -2, 1.0520791],
  [0.1, 2.5e-7, 2.7687782e-4],
  [0.5, 2.5e-7, 5.8554226e-3],
  [1, 2.5e-7, 0.021669479],
  [0.07, 156532 ** -2, 7.3044925e-5],
  [1, 156532 ** -2, 0.012670302],
  [0.07, 48813 ** -2, 8.4030893e-5],
  [0.74, 48813 ** -2, 8.0005487e-3],
  [0.52, 64263 ** -2, 3.931445e-3],
  [0.23, 110843 ** -2, 7.63659e-4],
  [10, 27253 ** -2, 1.10468277],
  [0.07, 32132 ** -2, 8.8794417e-5],
] as const;

describe("zCDP and (ε, δ)", () => {
  it("ρ at published points", () => {
    for (const [epsilon, delta, rho] of RHO_VECTORS)
      expect(Math.abs(cksRho(epsilon, delta) / rho - 1), `${epsilon}, ${delta}`).toBeLessThan(1e-6);
  });

  it("δ and ε at published points", () => {
    for (const [rho, epsilon, delta] of [
      [0.01, 0, 0.0856335945207],
      [0.5, 3, 0.00514318406386],
      [1e-6, 0.01, 1.01691807235e-15],
      [0.025, 1, 1.3361319e-6],
    ])
      expect(Math.abs(cksDelta(rho, epsilon) / delta - 1)).toBeLessThan(1e-7);
    for (const [rho, delta, epsilon] of [
      [0.1, 1e-9, 2.71548188673],
      [1, 1e-9, 9.52146367179],
      [1e-4, 1e-9, 0.0743627931141],
      [0.025, 1e-6, 1.0140743],
    ])
      expect(Math.abs(cksEpsilon(rho, delta) / epsilon - 1)).toBeLessThan(1e-7);
  });

  const logUniform = (from: number, to: number) =>
    fc.double({ min: Math.log(from), max: Math.log(to), noNaN: true }).map(Math.exp);
  const epsilons = logUniform(1e-6, 1000);
  const deltas = logUniform(1e-15, 0.3);

  it("agrees with the oracle over all options, and errs by at most 1e-8 on the generous side", () => {
    fc.assert(
      fc.property(epsilons, deltas, (epsilon, delta) => {
        const rho = cksRho(epsilon, delta);
        expect(Math.abs(rho / rhoOf(epsilon, delta) - 1)).toBeLessThan(1e-8);
        expect(Math.abs(cksDelta(rho, epsilon) / deltaOf(rho, epsilon) - 1)).toBeLessThan(1e-8);
        const back = cksEpsilon(rho, delta);
        expect(Math.abs(back - epsilonOf(rho, delta))).toBeLessThan(1e-8 * epsilon + 1e-12);
        expect(back).toBeLessThanOrEqual(epsilon * (1 + 1e-14));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("rounds ρ down, ε and δ up: the bound holds to 200 bits", () => {
    fc.assert(
      fc.property(epsilons, deltas, (epsilon, delta) => {
        const rho = cksRho(epsilon, delta);
        expect(isProven(rho, epsilon, delta)).toBe(true);
        expect(isProven(rho * (1 + 1e-9), epsilon, delta)).toBe(false);
        expect(isProven(rho, cksEpsilon(rho, delta), delta)).toBe(true);
        expect(isProven(rho, epsilon, cksDelta(rho, epsilon))).toBe(true);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it("is right at the ends: nothing spent gives no ε and no δ, and no δ exceeds 1", () => {
    expect(cksDelta(0, 1)).toBe(0);
    expect(cksEpsilon(0, 1e-9)).toBe(0);
    expect(cksDelta(1000, 0)).toBeCloseTo(1, 12);
    expect(cksDelta(1000, 0)).toBeLessThanOrEqual(1);
    expect(cksDelta(1e-9, 900)).toBeGreaterThan(0);
  });
});

/** Whether (ρ, ε) implies δ by the bound at the best α that f64 finds, evaluated with 200 bits. */
function isProven(rho: number, epsilon: number, delta: number): boolean {
  const bits = 200n;
  const one = 1n << bits;
  const x = Math.exp(bestLogX(rho, epsilon));
  const [fixedX, fixedRho, fixedEpsilon] = [x, rho, epsilon].map((value) => {
    const [n, d] = fractionOf(value);
    return (n * one) / d;
  });
  const times = (a: bigint, b: bigint) => (a * b) / one;
  const [xn, xd] = fractionOf(x);
  const [dn, dd] = fractionOf(delta);
  const logDelta =
    times(fixedX, times(one + fixedX, fixedRho) - fixedEpsilon) -
    times(fixedX, logOf(xn + xd, xn, bits)) -
    logOf(xn + xd, xd, bits);
  return logDelta <= logOf(dn, dd, bits);
}

function bestLogX(rho: number, epsilon: number): number {
  let [low, high] = [-100, 100];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    const x = Math.exp(middle);
    if ((1 + 2 * x) * rho - epsilon - Math.log1p(1 / x) > 0) high = middle;
    else low = middle;
  }
  return low;
}

describe("ledger units", () => {
  it("are ρ·2^52, between 2^−41 and 2^−39 of it below", () => {
    const below = (bits: bigint, n: bigint) => (n * UNITS_PER_RHO * (2n ** bits - 1n)) / 2n ** bits;
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 4095, noNaN: true }), (rho) => {
        const [n, d] = fractionOf(rho);
        const units = unsigned(rhoUnits(rho));
        expect(units * d <= below(41n, n)).toBe(true);
        expect(units * d >= below(39n, n)).toBe(true);
      }),
      { seed: 3 },
    );
  });

  it("clamp invalid budgets to 0 and too large ones to 4095", () => {
    expect([Number.NaN, -1, 0].map(rhoUnits)).toEqual([0n, 0n, 0n]);
    expect(rhoUnits(1e300)).toBe(rhoUnits(4095));
  });
});

const units = fc.oneof(
  fc.bigInt({ min: 0n, max: 4095n * UNITS_PER_RHO }),
  fc.tuple(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.nat(63)).map(([word, shift]) => word >> BigInt(shift)),
);

describe("calibrate", () => {
  const out = engine.alloc(SIGMA2_BYTES);
  const read = () => {
    const [p, k] = [engine.u32(out, 1)[0], engine.i32(out + 4, 1)[0]];
    const charge = engine.i64((out + SIGMA2_CHARGE) >>> 0, 1)[0];
    return { p: BigInt(p), k: BigInt(k), charge: unsigned(charge) };
  };
  const delta2s = fc.oneof(
    fc.bigInt({ min: 1n, max: 200n }),
    fc.tuple(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.nat(63)).map(([word, shift]) => word >> BigInt(shift)),
  );

  it("finds the smallest representable σ², and charges at most the share", () => {
    let found = 0;
    fc.assert(
      fc.property(units, delta2s, (share, delta2) => {
        const expected = delta2 === 0n ? undefined : smallestSigma2(share, delta2);
        const result = engine.exports.calibrate(share, delta2, out);
        expect(result).toBe(expected ? OK : NOISE_TOO_LARGE);
        if (!expected) return;
        found++;
        const charge = chargeOf(expected, delta2);
        expect(charge <= share).toBe(true);
        expect(read()).toEqual({ ...expected, charge });
      }),
      { seed: 4, numRuns: 20_000 },
    );
    expect(found).toBeGreaterThan(5000);
  });

  it("gives the σ of 78 two-way marginals at (1, 1e-9)", () => {
    const budget = rhoUnits(cksRho(1, 1e-9));
    for (const [delta2, sigma] of [
      [1n, 51.03605],
      [2n, 72.175874],
      [9n, 153.10815],
    ] as const) {
      expect(engine.exports.calibrate(budget / 78n, delta2, out)).toBe(OK);
      expect(Math.abs(Math.sqrt(Number(read().p) * 2 ** -Number(read().k)) / sigma - 1)).toBeLessThan(1e-6);
    }
  });

  it("reaches σ = 2^23 and no further, and σ² = 2^−10 at least", () => {
    expect(engine.exports.calibrate(32n, 1n, out)).toBe(OK);
    expect(read()).toEqual({ p: 1n << 23n, k: -23n, charge: 32n });
    expect(engine.exports.calibrate(31n, 1n, out)).toBe(NOISE_TOO_LARGE);
    expect(engine.exports.calibrate(4095n * UNITS_PER_RHO, 1n, out)).toBe(OK);
    expect(read()).toEqual({ p: 1n << 20n, k: 30n, charge: 512n * UNITS_PER_RHO });
  });
});

describe("selectionRate", () => {
  const out = engine.alloc(RATE_BYTES);
  const deltas = fc
    .tuple(fc.bigInt({ min: 1n, max: (1n << 44n) - 1n }), fc.nat(43))
    .map(([word, shift]) => (word >> BigInt(shift)) + 1n);

  it("costs at most the share, and one more step of a would cost more", () => {
    fc.assert(
      fc.property(units, deltas, (share, delta) => {
        const result = engine.exports.selectionRate(share, delta, out);
        const [a, b] = [engine.u32(out + RATE_A, 1)[0], engine.u32(out + RATE_B, 1)[0]].map(BigInt);
        if (result === OK) {
          expect(b <= 54n).toBe(true);
          expect(costs(a, b, delta, share)).toBe(true);
          // The root from which a is computed has at least 31 bits, so a is too small by at most one unit and 2^−30 of
          // itself.
          expect(costs(a + 2n + (a >> 29n), b, delta, share)).toBe(false);
          if (b < 54n) expect(a >> 30n).toBeGreaterThanOrEqual(1n);
        } else {
          expect(result).toBe(NOISE_TOO_LARGE);
          expect(costs(2n, 54n, delta, share)).toBe(false);
        }
      }),
      { seed: 5, numRuns: 20_000 },
    );
  });

  /** Δ²(a/2^b)²/2 ≤ share·2^−52 */
  function costs(a: bigint, b: bigint, delta: bigint, share: bigint): boolean {
    return ((delta * a) ** 2n) << 51n <= share << (2n * b);
  }
});
