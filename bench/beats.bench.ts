// How close the rows come to tables of any two and three columns, at the privacy levels used in comparisons of
// published tools, for the default and its variants.
import type { Report, Setting } from "./bench.js";
import { publishedSubjects } from "./tables.js";
import { type Bounds, compareAll } from "./variants.js";

const EPSILONS = [0.1, 0.3, 1, 3, 10];
/** Mean total variation distances to reach, by ε. */
const TARGETS: Record<string, Record<number, Bounds>> = {
  adult: {
    0.1: { pairs: 0.09, triples: 0.155 },
    1: { pairs: 0.03, triples: 0.07 },
    10: { pairs: 0.0098, triples: 0.043 },
  },
  national: {
    0.1: { pairs: 0.105, triples: 0.205 },
    1: { pairs: 0.03, triples: 0.062 },
    10: { pairs: 0.0058, triples: 0.022 },
  },
};

export default async function beats(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("beats skipped: STANDIN_DATA names no folder of tables.");
  await compareAll(report, { folder, name: "beats" }, publishedSubjects(data), EPSILONS, (table, epsilon) => ({
    ...TARGETS[table][epsilon],
    seconds: 3,
    best: 1.03,
  }));
}
