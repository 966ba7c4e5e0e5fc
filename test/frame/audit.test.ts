// What an attacker can infer at least from whole adaptive runs (one-ways, searches, choices, measurements), of a table with one row and of
// the empty table: from all that was measured, and from the synthetic rows alone. ε = 4 is audited, where a thousand runs a side tell a lot.
// Correct runs fail once in a million times.
import { expect, it } from "vitest";
import { measure, parseCsv, parseSchema, plan, type Release, resample } from "../../src/index.js";
import { rhoOf } from "../../src/privacy/accounting.js";
import { shapesOf } from "../../src/queries/query.js";
import { provenEpsilon } from "../reference/audit.js";
import { ALPHA } from "../reference/statistics.js";
import { key } from "./people.js";

const RUNS = 1000;
const DELTA = 1e-5;
const EPSILON = 4;

const schema = parseSchema({
  fields: ["a", "b", "c"].map((name) => ({ name, type: "string", constraints: { enum: ["x", "y"], required: true } })),
});
const [empty, single] = ["a,b,c\n", "a,b,c\nx,x,x\n"].map((text) => parseCsv(text, schema));

/** The best statistic against the row, whose cell is the first of every marginal: the answers of its cells, weighted by 1/σ². */
function measuredOf({ measurements }: Release): number {
  return measurements.reduce((sum, { query, answers, sigma2 }) => {
    if (shapesOf(query, schema.attributes).length !== 1) throw new Error("not a marginal");
    return sum + answers[0] / sigma2;
  }, 0);
}

/** How many of the synthetic rows are the row. */
async function rowsAlike(release: Release): Promise<number> {
  const { table } = await resample(release, { rows: 100, seed: 1 });
  const [a, b, c] = table.columns.map(({ codes }) => [...codes]);
  return a.reduce((count, code, row) => count + (code + b[row] + c[row] === 0 ? 1 : 0), 0);
}

/** Both statistics of every run. */
async function statistics(table: typeof empty, rho: number, salt: number): Promise<[number, number][]> {
  const planned = plan(schema, { rho, delta: DELTA, selection: "max", rounds: 2 });
  const found: [number, number][] = [];
  for (let run = 0; run < RUNS; run++) {
    const release = await measure(table, planned, { seed: 1, unsafeNoiseKey: key(2 * run + salt) });
    found.push([measuredOf(release), await rowsAlike(release)]);
  }
  return found;
}

/** The ε that each statistic proves, where the threshold is the null's median. */
async function proven(rho: number): Promise<number[]> {
  const [without, within] = [await statistics(empty, rho, 0), await statistics(single, rho, 1)];
  return [0, 1].map((which) => {
    const threshold = without.map((found) => found[which]).sort((x, y) => x - y)[RUNS / 2];
    const above = (sample: [number, number][]) => sample.filter((found) => found[which] > threshold).length;
    return provenEpsilon(above(within), above(without), RUNS, DELTA, ALPHA);
  });
}

it("proves no more than the ε that was planned", { timeout: 600_000 }, async () => {
  const [measured, synthetic] = await proven(rhoOf(EPSILON, DELTA));
  expect(Math.max(measured, synthetic)).toBeLessThanOrEqual(EPSILON);
  expect(measured).toBeGreaterThan(1); // it has power
});

it("catches noise of a third of the scale", { timeout: 600_000 }, async () => {
  const [measured, synthetic] = await proven(9 * rhoOf(EPSILON, DELTA));
  expect(measured).toBeGreaterThan(EPSILON);
  expect(synthetic).toBeGreaterThan(1);
});
