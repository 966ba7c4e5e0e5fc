// Small budgets: how close the rows come to tables of two and three columns where noise drowns most of them, beside columns that know nothing
// of each other and whose own tables had the whole budget.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { codedSubject } from "./tables.js";
import { ALL_VARIANTS, compared, keepRows, type Row, reportRows } from "./variants.js";

const EPSILONS = [0.03, 0.1];

export default async function beatsSmall(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("beats-small skipped: STANDIN_DATA names no folder of tables.");
  const subjects = [
    codedSubject("adult", join(data, "adult"), "adult_coded"),
    codedSubject("national", join(data, "acs"), "national2019_coded"),
  ];
  const kept: Row[] = [];
  for (const subject of subjects)
    for (const epsilon of EPSILONS) {
      const rows = await compared(subject, epsilon, ALL_VARIANTS);
      reportRows(report, rows, { seconds: 3, over: { variant: "independent", factor: 1 } });
      kept.push(...rows);
    }
  keepRows(folder, "beats-small", kept);
}
