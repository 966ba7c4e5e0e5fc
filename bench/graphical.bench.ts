// Graphical models on Adult: add-remove, δ = 1e-9, one core; three seeds at ε = 1, and one at ε = 10, where AIM's model
// is largest. The targets are what published packages reach (bench/accuracy.md).
import { join } from "node:path";
import { measure, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { best, type Report, type Setting } from "./bench.js";
import propagation from "./kernels/propagation.js";
import { codedTable, mean, noiseKey } from "./tables.js";
import { seededTriples } from "./variants.js";

interface Case {
  readonly mechanism: string;
  readonly epsilon: number;
  readonly seeds: number;
  /** Mean total variation distances of all pairs and of 50 triples, and the seconds of a whole run. */
  readonly targets: { readonly pairs?: number; readonly triples?: number; readonly seconds?: number };
}

const CASES: readonly Case[] = [
  { mechanism: "mst", epsilon: 1, seeds: 3, targets: { pairs: 0.0516, triples: 0.118, seconds: 3 } },
  { mechanism: "aim", epsilon: 1, seeds: 3, targets: { pairs: 0.0415, triples: 0.101, seconds: 60 } },
  { mechanism: "aim", epsilon: 10, seeds: 1, targets: { seconds: 60 } },
  { mechanism: "mwem-pgm", epsilon: 1, seeds: 3, targets: {} },
];

/** How often the bench of the kernel goes up and down a tree in one run. */
const SWEEPS = 50;

export default async function graphical(report: Report, { data }: Setting) {
  const sweeps = await best(5, propagation.open());
  report({ metric: "a sweep over a tree of Adult's size, ms", value: (1000 * sweeps) / SWEEPS, target: 2 });
  if (!data) return console.log("graphical skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const triples = seededTriples(schema.attributes.map(({ name }) => name));
  for (const { mechanism, epsilon, seeds, targets } of CASES) {
    const name = `${mechanism} ε=${epsilon}`;
    const planned = plan(schema, { epsilon, delta: 1e-9, mechanism });
    const runs: { pairs: number; triples: number; seconds: number }[] = [];
    for (let seed = 0; seed < seeds; seed++) {
      const start = performance.now();
      const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
      const seconds = (performance.now() - start) / 1000;
      const tv = (workload: "2-way" | string[][]) => nonPrivateQueryErrors(table, made.table, schema, workload).meanTv;
      runs.push({ seconds, pairs: tv("2-way"), triples: tv(triples) });
    }
    for (const figure of ["pairs", "triples"] as const)
      report({
        metric: `${name} ${figure} TV`,
        value: mean(runs.map((run) => run[figure])),
        target: targets[figure],
      });
    const seconds = Math.max(...runs.map((run) => run.seconds));
    report({ metric: `${name} s`, value: seconds, target: targets.seconds });
  }
}
