// Small budgets: how close the rows come to tables of two and three columns, most of which are below the noise. The
// comparison is with independent columns whose one-way marginals had the whole budget.
import type { Report, Setting } from "./bench.js";
import { publishedSubjects } from "./tables.js";
import { type Bounds, compareAll } from "./variants.js";

const EPSILONS = [0.03, 0.1];
/** Mean total variation distances to reach, by ε. */
const TARGETS: Record<string, Record<number, Bounds>> = {
  adult: { 0.1: { pairs: 0.09, triples: 0.155 } },
  national: { 0.1: { pairs: 0.105, triples: 0.205 } },
};

export default async function beatsSmall(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("beats-small skipped: STANDIN_DATA names no folder of tables.");
  await compareAll(report, { folder, name: "beats-small" }, publishedSubjects(data), EPSILONS, (table, epsilon) => ({
    ...TARGETS[table][epsilon],
    seconds: 3,
    over: { variant: "independent", factor: 1 },
  }));
}
