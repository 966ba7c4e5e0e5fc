// Graphical models on Adult: add-remove, δ = 1e-9, three seeds, one core.
import { join } from "node:path";
import { measure, type PlanOptions, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { codedTable, mean, noiseKey } from "./tables.js";
import { seededTriples } from "./variants.js";

const ASKED: Record<string, PlanOptions> = {
  mst: { mechanism: "mst" },
};

export default async function graphical(report: Report, { data }: Setting) {
  if (!data) return console.log("graphical skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const triples = seededTriples(schema.attributes.map(({ name }) => name));
  for (const [name, options] of Object.entries(ASKED)) {
    const planned = plan(schema, { epsilon: 1, delta: 1e-9, ...options });
    const found: { pairs: number; triples: number; seconds: number }[] = [];
    for (let seed = 0; seed < 3; seed++) {
      const start = performance.now();
      const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
      const middle = performance.now();
      const made = await resample(release);
      console.log(((middle - start) / 1000).toFixed(2), ((performance.now() - middle) / 1000).toFixed(2), made.outcome);
      const seconds = (performance.now() - start) / 1000;
      const tv = (workload: "2-way" | string[][]) => nonPrivateQueryErrors(table, made.table, schema, workload).meanTv;
      found.push({ seconds, pairs: tv("2-way"), triples: tv(triples) });
    }
    for (const figure of ["pairs", "triples", "seconds"] as const)
      report({ metric: `${name} ε=1 ${figure}`, value: mean(found.map((run) => run[figure])) });
  }
}
