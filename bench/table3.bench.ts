// Table 3 of the Private-GSD paper: all 2-way marginals and trees, ε = 1, N′ = 1000, on the public ACS samples.
import { join } from "node:path";
import { measure, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { best, type Report, type Setting } from "./bench.js";
import { mean, noiseKey, paperTask } from "./tables.js";

/** ρ(1, 1/N²)·(N/n)² for the paper's N and this sample's n, and the largest mean errors allowed. */
const TASKS = {
  MOB: { rho: 0.0554341, paper: 0.00061, descent: 0.00062 },
  INC: { rho: 0.0506812, paper: 0.000082, descent: 0.000082 },
  COV: { rho: 0.0524277, paper: 0.00063, descent: 0.00064 },
} as const;
const SECONDS = { paper: 1, descent: 0.5 } as const;

export default async function table3(report: Report, { data }: Setting) {
  if (!data) return console.log("table3 skipped: STANDIN_DATA names no folder of tables.");
  for (const [name, bounds] of Object.entries(TASKS) as [keyof typeof TASKS, (typeof TASKS)["MOB"]][]) {
    const { schema, table } = paperTask(join(data, "acs"), name);
    for (const method of ["paper", "descent"] as const) {
      const planned = plan(schema, {
        rho: bounds.rho,
        neighbours: "replace",
        publicRows: table.length,
        search: { method },
      });
      const errors: number[] = [];
      const seconds: number[] = [];
      let candidates = 0;
      for (let seed = 0; seed < 5; seed++) {
        const release = await measure(table, planned, { rows: 1000, seed, unsafeNoiseKey: noiseKey(seed) });
        let made = await resample(release);
        seconds.push(
          await best(1, async () => {
            made = await resample(release);
          }),
        );
        candidates += made.outcome.candidates;
        errors.push(nonPrivateQueryErrors(table, made.table, schema).meanError);
      }
      report({ metric: `${name} ${method} mean_error`, value: mean(errors), target: bounds[method] });
      report({ metric: `${name} ${method} projection_s`, value: Math.min(...seconds), target: SECONDS[method] });
      const total = seconds.reduce((a, b) => a + b, 0);
      report({ metric: `${name} ${method} candidates_per_s`, value: candidates / total, better: "higher" });
    }
  }
}
