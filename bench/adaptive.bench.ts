// Adult, 64 random three-way workloads, replace, δ = 1/n²: the largest error of any cell, with the default number of
// rounds and with others.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable } from "./tables.js";

/** The column indices of each workload. */
const WORKLOADS =
  `5,7,10 5,8,12 4,6,13 0,3,8 1,3,5 4,5,13 7,12,13 5,9,13 4,11,13 1,7,9 4,6,9 1,3,9 3,6,7 2,11,13 1,8,12 2,3,4
 0,4,13 6,10,13 1,3,13 3,6,11 3,4,6 0,2,7 0,1,8 1,6,7 1,10,12 1,5,6 7,9,12 0,3,5 4,7,10 2,6,7 6,8,12 1,4,5 0,1,13 2,3,8 4,8,12
 6,7,13 6,8,10 3,4,11 2,5,6 0,12,13 6,11,12 3,5,12 6,8,9 8,9,12 3,12,13 9,11,13 3,6,9 2,3,13 1,2,3 3,5,13 3,7,12 2,8,9 0,6,7
 2,6,12 3,5,9 4,6,12 5,8,13 0,8,9 5,6,7 4,8,9 4,8,10 0,4,8 1,5,9 1,5,7`
    .split(/\s+/)
    .map((triple) => triple.split(",").map(Number));
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
