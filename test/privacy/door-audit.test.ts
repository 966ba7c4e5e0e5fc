// As audit.test.ts, through the planner and the vault: a marginal and a tree together, 40,000 releases with one row and without.
import { expect, it } from "vitest";
import "../engine.js";
import { parseSchema } from "../../src/index.js";
import { rhoOf } from "../../src/privacy/accounting.js";
import { sigma2Of } from "../../src/privacy/items.js";
import { type BudgetOptions, budgetTerms, isQueryItem, type Ledger, planLedger } from "../../src/privacy/plan.js";
import { Vault } from "../../src/privacy/vault.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { epsilonOf, provenEpsilon } from "../reference/audit.js";
import { ALPHA, binomialBounds, normal } from "../reference/statistics.js";

const RUNS = 40_000;
const DELTA = 1e-5;

const schema = parseSchema({
  fields: [
    { name: "a", type: "string", constraints: { enum: ["x", "y"], required: true } },
    { name: "t", type: "integer", constraints: { minimum: 0, maximum: 1000, required: true } },
  ],
});
const first = workloadQueries([["a"], ["t"]], schema.attributes).map((query) => ({ query, weight: 1 }));

const ledgerOf = (options: BudgetOptions) => planLedger(schema, { first }, budgetTerms(options, "row"));

/** The best statistic against one row (a = x, t in leaf 0): the answers of the cells that it is in, weighted by 1/σ². */
async function statistics(ledger: Ledger, rows: number, salt: number): Promise<Float64Array> {
  const codes = [new Uint16Array(rows), new Uint16Array(rows)];
  const levels = [0, 2, 6, 14, 30];
  const items = ledger.items.filter(isQueryItem);
  const found = new Float64Array(RUNS);
  for (let run = 0; run < RUNS; run++) {
    const key = new Uint8Array(32);
    new DataView(key.buffer).setUint32(0, run + 1);
    key[31] = salt;
    const vault = new Vault(ledger, ledger.budget, schema.attributes, () => key);
    await vault.load(codes, rows, undefined);
    const category = await vault.measure(items[0], 0);
    const tree = await vault.measure(items[1], 1);
    await vault.close();
    const inTree = levels.reduce((sum, start) => sum + tree[start], 0);
    found[run] = category[0] / sigma2Of(items[0]) + inTree / sigma2Of(items[1]);
  }
  return found;
}

/** The ε that is proven where the threshold is the null's median. */
async function proven(ledger: Ledger): Promise<number> {
  const without = await statistics(ledger, 0, 1);
  const threshold = without.slice().sort()[RUNS / 2];
  const above = (sample: Float64Array) => sample.reduce((hits, value) => hits + (value > threshold ? 1 : 0), 0);
  return provenEpsilon(above(await statistics(ledger, 1, 2)), above(without), RUNS, DELTA, ALPHA);
}

it("an audit of all measurements proves no more than the ε that was planned", { timeout: 300_000 }, async () => {
  const epsilon = await proven(ledgerOf({ epsilon: 1, delta: DELTA }));
  expect(epsilon).toBeLessThanOrEqual(1);
  expect(epsilon).toBeGreaterThan(0.6); // the audit has power: correct noise shows about .76
});

it("the same audit catches noise of half the scale", { timeout: 300_000 }, async () => {
  expect(await proven(ledgerOf({ rho: 4 * rhoOf(1, DELTA), delta: DELTA }))).toBeGreaterThanOrEqual(1.5);
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
