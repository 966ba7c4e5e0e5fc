// Adult, 13 columns, all 286 three-way workloads (334,128 cells), replace, δ = 1/n²: the largest error of any cell,
// with the default rounds.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable } from "./tables.js";

const TARGETS = [
  [0.1, 0.053],
  [0.25, 0.026],
  [1, 0.0093],
] as const;
const SEEDS = 5;
const SECONDS = 15;

export default async function adaptiveAll(report: Report, { data }: Setting) {
  if (!data) return console.log("adaptive-all skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_13");
  for (const [epsilon, target] of TARGETS) {
    const { error, seconds } = await tried(schema, table, { epsilon, workload: "3-way" }, SEEDS);
    report({ metric: `max_error, epsilon ${epsilon}`, value: error, target });
    report({ metric: `epsilon ${epsilon}, s`, value: seconds, target: SECONDS });
  }
}
