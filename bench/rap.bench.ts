// RAP and RAPsoftmax on seven columns of Adult, all 35 sets of three (14,955 cells): replace, δ = 1/n², ρ by the simple
// bound as in the papers, and by the tight one. Three seeds.
import type { Report, Setting } from "./bench.js";
import { simpleRho, tried } from "./rounds.js";
import { reducedAdult } from "./tables.js";

/** By ε, the largest error that RAPsoftmax may have with the simple bound. */
const TARGETS = { 0.1: 0.0815, 0.25: 0.0452, 1: 0.0165 };

export default async function rap(report: Report, { data }: Setting) {
  if (!data) return console.log("rap skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = reducedAdult(data);
  for (const mechanism of ["rap-softmax", "rap"])
    for (const [epsilon, target] of Object.entries(TARGETS)) {
      const asked = { mechanism, workload: "3-way" as const };
      const rho = simpleRho(Number(epsilon), table.length);
      const simple = await tried(schema, table, { ...asked, rho }, 3);
      const tight = await tried(schema, table, { ...asked, epsilon: Number(epsilon) }, 3);
      const isSoftmax = mechanism === "rap-softmax";
      const metric = `${mechanism} max_error ε=${epsilon}`;
      report({ metric: `${metric} simple`, value: simple.error, target: isSoftmax ? target : undefined });
      report({ metric: `${metric} CKS`, value: tight.error });
      report({ metric: `${mechanism} s ε=${epsilon}`, value: simple.seconds, target: 60 });
    }
}
