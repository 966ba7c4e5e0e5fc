// The minimum that an attacker can infer from 10^5 releases of a table with one row and as many of the empty table.
// Correct noise fails once in a million times; noise of half the scale is detected.
import { expect, it } from "vitest";
import { OK } from "../../src/engine/layout.js";
import { epsilonOf, provenEpsilon } from "../reference/audit.js";
import { ALPHA, binomialBounds, normal } from "../reference/statistics.js";
import { openVault } from "./vault.js";

const RUNS = 100_000;
const DELTA = 1e-5;

/** How many noisy counts of a table with `rows` rows exceed 0, for items of ρ(1, δ) times `factor`. */
function positives(rows: number, factor: number, key: number): number {
  const vault = openVault({ key });
  const { cksRho, rhoUnits, measure, vaultClose } = vault.exports;
  const units = rhoUnits(factor * cksRho(1, DELTA));
  const at = vault.alloc(4);
  const count = vault.i32(at, 1);
  let hits = 0;
  for (let run = 0; run < RUNS; run++) {
    if (run % (RUNS / 5) === RUNS / 10) {
      vaultClose();
      openVault({ key: 1000 * key + run }, vault);
    }
    count[0] = rows;
    if (measure(at, 1, 1, 0, units, run) !== OK) throw new Error("refused");
    hits += Number(count[0] > 0);
  }
  return hits;
}

const epsilonLowerBound = (factor: number) =>
  provenEpsilon(positives(1, factor, 1), positives(0, factor, 2), RUNS, DELTA, ALPHA);

it("ε = 1 is not refuted, and is not far from what can be inferred", () => {
  const bound = epsilonLowerBound(1);
  expect(bound).toBeLessThanOrEqual(1);
  expect(bound).toBeGreaterThan(0.6);
});

it("noise of half the scale is refuted", () => {
  expect(epsilonLowerBound(4)).toBeGreaterThanOrEqual(1.5);
});

it("the audit's arithmetic agrees with known values", () => {
  expect(normal(1.959963984540054)).toBeCloseTo(0.975, 12);
  expect(normal(-3)).toBeCloseTo(0.0013498980316301, 12);
  const [low, high] = binomialBounds(10, 100, 0.025);
  expect(low).toBeCloseTo(0.0490046, 6);
  expect(high).toBeCloseTo(0.1762226, 6);
  expect(epsilonOf(1 / 5.4952662, 1e-9)).toBeCloseTo(1, 5);
  expect(epsilonOf(1 / 3.7306316, 1e-5)).toBeCloseTo(1, 5);
});
