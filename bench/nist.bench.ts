// NIST's national 2019 excerpt, 21 coded columns, all 210 pairs, replace, δ = 1/n², N′ = 5,000.
import { join } from "node:path";
import { measure, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { codedTable, mean, noiseKey } from "./tables.js";

export default async function nist(report: Report, { data }: Setting) {
  if (!data) return console.log("nist skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "acs"), "national2019_coded");
  for (const [epsilon, target] of [
    [10, 0.012],
    [1, 0.055],
  ]) {
    const planned = plan(schema, { epsilon, delta: "1/n2", neighbours: "replace", publicRows: table.length });
    const distances: number[] = [];
    for (let seed = 0; seed < 3; seed++) {
      const release = await measure(table, planned, { rows: 5000, seed, unsafeNoiseKey: noiseKey(seed) });
      distances.push(nonPrivateQueryErrors(table, (await resample(release)).table, schema).meanTv);
    }
    report({ metric: `mean 2-way TV, epsilon ${epsilon}`, value: mean(distances), target });
  }
}
