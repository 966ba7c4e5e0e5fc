// Adult, 64 random three-way workloads, replace, δ = 1/n²: the largest error of any cell, with the default number of
// rounds and with others.
import { join } from "node:path";
import { WORKLOADS } from "./adaptive-workloads.js";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable } from "./tables.js";

const TARGETS = [
  [0.1, 0.0507],
  [0.25, 0.0257],
  [1, 0.0076],
] as const;
/** The numbers of rounds that the default is compared with. */
const OTHERS = [8, 16, 24, 32, 48, 64];
const SEEDS = 5;
const SECONDS = 5;

export default async function adaptive(report: Report, { data }: Setting) {
  if (!data) return console.log("adaptive skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const workload = WORKLOADS.map((columns) => columns.map((column) => schema.attributes[column].name));
  for (const [epsilon, target] of TARGETS) {
    const options = { epsilon, workload };
    const { error, seconds } = await tried(schema, table, options, SEEDS);
    report({ metric: `max_error, epsilon ${epsilon}`, value: error, target });
    report({ metric: `epsilon ${epsilon}, s`, value: seconds, target: SECONDS });
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const rounds of OTHERS) {
      const { error } = await tried(schema, table, { ...options, rounds }, SEEDS);
      if (error >= least) continue;
      [best, least] = [rounds, error];
    }
    report({ metric: `max_error, epsilon ${epsilon}, best: ${best} rounds`, value: least });
  }
}
