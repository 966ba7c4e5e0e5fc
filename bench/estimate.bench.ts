// The cost of estimates compared with that of the search that they are made for: all pairs, ε = 1, δ = 1e-9,
// add-remove, with N̂ rows and with 1,000.
import { join } from "node:path";
import { Estimates } from "../src/estimate/estimates.js";
import { dependenceForest } from "../src/estimate/forest.js";
import { measure, plan, type Release, resample } from "../src/node.js";
import { best, type Report, type Setting } from "./bench.js";
import { codedTable, noiseKey } from "./tables.js";

const RUNS = 5;
/** The most time that estimates may take, as a fraction of the search's time. */
const MOST_SHARE = 0.1;

export default async function estimate(report: Report, { data }: Setting) {
  if (!data) return console.log("estimate skipped: STANDIN_DATA names no folder of tables.");
  const tables = {
    adult: codedTable(join(data, "adult"), "adult_coded"),
    national: codedTable(join(data, "acs"), "national2019_coded"),
  };
  for (const [name, { schema, table }] of Object.entries(tables)) {
    const release = await measure(table, plan(schema, { epsilon: 1 }), { seed: 1, unsafeNoiseKey: noiseKey(1) });
    const seconds = await best(RUNS, () => estimateAll(release));
    report({ metric: `${name} estimate_s`, value: seconds });
    for (const rows of [undefined, 1000]) {
      const whole = await best(RUNS, () => resample(release, { rows }));
      report({
        metric: `${name} estimate_s / search_s, N'=${rows ?? "n"}`,
        value: seconds / (whole - seconds),
        target: MOST_SHARE,
      });
    }
  }
}

/** Everything that a search requests from the estimates: its targets and its start. */
function estimateAll({ measurements, schema, facts }: Release): void {
  const estimates = new Estimates(measurements, schema.attributes, facts.total);
  const queries = measurements.map(({ query }) => query);
  estimates.answers(queries);
  dependenceForest(estimates, queries);
}
