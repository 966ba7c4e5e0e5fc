// How close the rows come to tables of any two and three columns, at the privacy that comparisons of published tools use.
import { join } from "node:path";
import { measure, nonPrivateQueryErrors, plan, resample } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { codedTable, mean, noiseKey } from "./tables.js";

const EPSILONS = [0.3, 1, 3, 10];
/** Mean total variation distances to reach, of all pairs and of 50 triples, by ε. */
const TARGETS: Record<string, Record<number, [number, number]>> = {
  adult: { 1: [0.039, 0.1], 10: [0.0125, 0.06] },
  national: { 1: [0.0365, 0.0778], 10: [0.0075, 0.0375] },
};
const SEEDS = 3;
const TRIPLES = 50;

export default async function beats(report: Report, { data }: Setting) {
  if (!data) return console.log("beats skipped: STANDIN_DATA names no folder of tables.");
  const tables = {
    adult: codedTable(join(data, "adult"), "adult_coded"),
    national: codedTable(join(data, "acs"), "national2019_coded"),
  };
  for (const [name, { schema, table }] of Object.entries(tables)) {
    const triples = seededTriples(schema.attributes.map((attribute) => attribute.name));
    for (const epsilon of EPSILONS) {
      const planned = plan(schema, { epsilon, delta: 1e-9 });
      const distances: [number, number][] = [];
      let seconds = 0;
      for (let seed = 0; seed < SEEDS; seed++) {
        const start = performance.now();
        const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
        seconds = Math.max(seconds, (performance.now() - start) / 1000);
        const tv = (workload: "2-way" | string[][]) =>
          nonPrivateQueryErrors(table, made.table, schema, workload).meanTv;
        distances.push([tv("2-way"), tv(triples)]);
      }
      for (const [at, what] of ["2-way", "3-way"].entries()) {
        const value = mean(distances.map((pair) => pair[at]));
        report({ metric: `${name} ε=${epsilon} ${what} TV`, value, target: TARGETS[name][epsilon]?.[at] });
      }
      report({ metric: `${name} ε=${epsilon} s`, value: seconds, target: 3 });
    }
  }
}

/** Sets of three columns from a linear congruential generator, so that everybody compares the same. */
function seededTriples(names: readonly string[]): string[][] {
  let state = 7;
  const below = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const triples = new Map<string, string[]>();
  while (triples.size < TRIPLES) {
    const columns = [...new Set([0, 0, 0].map(() => below(names.length)))].sort((a, b) => a - b);
    if (columns.length === 3)
      triples.set(
        columns.join(),
        columns.map((column) => names[column]),
      );
  }
  return [...triples.values()];
}
