// How close the rows come to tables of any two and three columns, at the privacy that comparisons of published tools use, by the default
// and by its variants.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { codedSubject } from "./tables.js";
import { ALL_VARIANTS, type Bounds, compared, keepRows, type Row, reportRows } from "./variants.js";

const EPSILONS = [0.3, 1, 3, 10];
/** Mean total variation distances to reach, by ε. */
const TARGETS: Record<string, Record<number, Bounds>> = {
  adult: { 1: { pairs: 0.039, triples: 0.1 }, 10: { pairs: 0.0125, triples: 0.06 } },
  national: { 1: { pairs: 0.0365, triples: 0.0778 }, 10: { pairs: 0.0075, triples: 0.0375 } },
};

export default async function beats(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("beats skipped: STANDIN_DATA names no folder of tables.");
  const subjects = [
    codedSubject("adult", join(data, "adult"), "adult_coded"),
    codedSubject("national", join(data, "acs"), "national2019_coded"),
  ];
  const kept: Row[] = [];
  for (const subject of subjects)
    for (const epsilon of EPSILONS) {
      const rows = await compared(subject, epsilon, ALL_VARIANTS);
      reportRows(report, rows, { ...TARGETS[subject.name][epsilon], seconds: 3, best: 1.03 });
      kept.push(...rows);
    }
  keepRows(folder, "beats", kept);
}
