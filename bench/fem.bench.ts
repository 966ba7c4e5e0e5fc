// FEM and DualQuery on the 64 sets of three columns of Adult: replace, δ = 1/n², three seeds.
import { adult64 } from "./adult-64.js";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";

/** By ε, the largest error of FEM's published code (means of five runs). */
const FEM = { 0.1: 0.172, 0.15: 0.134, 0.2: 0.113, 0.25: 0.106, 0.5: 0.078, 1: 0.076 };
const SEEDS = 3;

export default async function fem(report: Report, { data }: Setting) {
  if (!data) return console.log("fem skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table, workload } = adult64(data);
  for (const [mechanism, targets] of [
    ["fem", FEM],
    ["dual-query", { 1: undefined }],
  ] as const)
    for (const [epsilon, target] of Object.entries(targets)) {
      const found = await tried(schema, table, { mechanism, workload, epsilon: Number(epsilon) }, SEEDS);
      const metric = `${mechanism} ε=${epsilon}`;
      report({ metric: `${metric} max_error`, value: found.error, target });
      report({ metric: `${metric} mean_error`, value: found.meanError });
      report({ metric: `${metric} s`, value: found.seconds, target: 10 });
    }
}
