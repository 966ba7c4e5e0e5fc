// What no pair of columns shows: 20,000 rows of 10 binary columns, of which one is the parity of two or three others.
// The figure is the part of the synthetic rows in which it still is (½ by chance), the lowest of three noise seeds;
// ε = 1, add-remove, δ = 1e-9.
import { measure, type PlanOptions, plan } from "../src/node.js";
import { parityKept, paritySchema, parityTable } from "../test/parity.js";
import type { Report } from "./bench.js";
import { noiseKey } from "./tables.js";

const ROWS = 20_000;
const COLUMNS = 10;
const SEEDS = 3;
const LEAST = 0.95;

const CASES: readonly { parents: number; options: PlanOptions; target?: number }[] = [
  { parents: 2, options: {} },
  { parents: 2, options: { target: "y" }, target: LEAST },
  { parents: 2, options: { workload: "3-way" }, target: LEAST },
  { parents: 2, options: { target: "y", mechanism: "aim" } },
  { parents: 3, options: { workload: "4-way" }, target: LEAST },
  { parents: 3, options: { target: "y", workload: "3-way" }, target: LEAST },
];
/** Around the number of rows from which plans say that a set of three can be seen. */
const FEWER_ROWS = [500, 1000, 2000];

export default async function xor(report: Report) {
  for (const { parents, options, target } of CASES) {
    const { kept, seconds } = await lowest(ROWS, parents, options);
    const name = `parity of ${parents}, ${JSON.stringify(options)}`;
    report({ metric: name, value: kept, target, better: "higher" });
    report({ metric: `${name} s`, value: seconds });
  }
  for (const options of [{ target: "y" }, { workload: "3-way" }] as const) {
    const { seenFrom } = plan(paritySchema(COLUMNS), { epsilon: 1, ...options }).toJSON().structure[1];
    report({ metric: `sets of 3, ${JSON.stringify(options)}: seen from`, value: seenFrom[1] });
    for (const rows of FEWER_ROWS) {
      const { kept } = await lowest(rows, 2, options);
      report({ metric: `parity of 2 in ${rows} rows, ${JSON.stringify(options)}`, value: kept, better: "higher" });
    }
  }
}

async function lowest(rows: number, parents: number, options: PlanOptions) {
  const schema = paritySchema(COLUMNS);
  const table = parityTable(schema, rows, parents);
  const planned = plan(schema, { epsilon: 1, delta: 1e-9, ...options });
  let [kept, seconds] = [1, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const start = performance.now();
    const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
    kept = Math.min(kept, await parityKept(release, parents));
    seconds = Math.max(seconds, (performance.now() - start) / 1000);
  }
  return { kept, seconds };
}
