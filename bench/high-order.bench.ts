// Structure of three to five columns, in tables of few codes and in others: the default, and the mechanisms and
// workloads that it could have picked. Two tables are of 16 and 23 binary columns and one has the sizes of BR2000. They
// are drawn from a public law: a Bayesian network in which every column has one to four parents among the six before
// it, and for each combination of their codes a distribution that is drawn once. add-remove, δ = 1e-9.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  measure,
  type PlanOptions,
  parseCsv,
  parseSchema,
  plan,
  resample,
  type Schema,
  type Table,
} from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { sparseDistances } from "./sparse-distances.js";
import { codedTable, mean, noiseKey } from "./tables.js";

const EPSILONS = [0.1, 0.8, 3.2];
const SEEDS = 1;
const ORDERS = [3, 4, 5];
/** The sets of each order that are compared. */
const SETS = 50;

/** What is compared where sets of more than two columns have few cells. */
const SMALL: Record<string, PlanOptions> = {
  default: {},
  independent: { workload: "1-way" },
  pairs: { mechanism: "private-gsd" },
  "aim 3-way": { mechanism: "aim", workload: "3-way" },
  "mwem-pgm 3-way": { mechanism: "mwem-pgm", workload: "3-way" },
  "mwem-pgm 4-way": { mechanism: "mwem-pgm", workload: "4-way" },
};
/** A graphical model of all sets has room for 16 binary columns only. */
const SMALLEST: Record<string, PlanOptions> = { ...SMALL, "pgm 3-way": { mechanism: "pgm", workload: "3-way" } };
/** Elsewhere, private-gsd's pairs are the default. */
const OTHERS: Record<string, PlanOptions> = {
  default: {},
  independent: { workload: "1-way" },
  "aim 2-way": { mechanism: "aim" },
  "aim 3-way": { mechanism: "aim", workload: "3-way", rounds: 14, megabytes: 8 },
  "mwem-pgm 2-way": { mechanism: "mwem-pgm" },
};

interface Subject {
  readonly schema: Schema;
  readonly table: Table;
}

export default async function highOrder(report: Report, { data, folder }: Setting) {
  const subjects: [string, Subject, Record<string, PlanOptions>][] = [
    ["16 binary", networkTable(new Array(16).fill(2), 20_000), SMALLEST],
    ["23 binary", networkTable(new Array(23).fill(2), 20_000), SMALL],
    ["BR2000-like", networkTable([2, 2, 3, 4, 2, 5, 7, 3, 2, 6, 11, 4, 15, 9], 38_000), SMALL],
  ];
  if (data) subjects.push(["adult", codedTable(join(data, "adult"), "adult_coded"), OTHERS]);
  else console.log("high-order without Adult: STANDIN_DATA names no folder of tables.");
  const lines: string[] = [];
  for (const [name, subject, variants] of subjects)
    for (const epsilon of EPSILONS) {
      const found = new Map<string, readonly number[]>();
      for (const [variant, options] of Object.entries(variants)) {
        const { distances, seconds } = await comparedWith(subject, { epsilon, delta: 1e-9, ...options });
        found.set(variant, distances);
        for (const [at, order] of ORDERS.entries())
          report({ metric: `${name} ε=${epsilon} ${order}-way TV, ${variant}`, value: distances[at] });
        report({ metric: `${name} ε=${epsilon} ${variant} s`, value: seconds });
        lines.push([name, epsilon, variant, ...distances.map((one) => one.toFixed(5)), seconds.toFixed(1)].join());
        writeFileSync(
          join(folder, "high-order.csv"),
          `table,epsilon,variant,tv_3way,tv_4way,tv_5way,seconds\n${lines.join("\n")}\n`,
        );
      }
      for (const [at, order] of ORDERS.entries()) {
        const made = found.get("default")![at];
        const ratio = (other: string) => made / found.get(other)![at];
        const best = Math.min(...[...found.values()].map((distances) => distances[at]));
        const metric = `${name} ε=${epsilon} ${order}-way, default`;
        report({ metric: `${metric} / independent`, value: ratio("independent"), target: 1 });
        report({ metric: `${metric} / aim 3-way`, value: ratio("aim 3-way"), target: 1 });
        report({ metric: `${metric} / best`, value: made / best, target: 1.03 });
      }
    }
}

/** The mean total variation distance over sets of each order, and the processor time of the slowest run. */
async function comparedWith(
  { schema, table }: Subject,
  options: PlanOptions,
): Promise<{ distances: number[]; seconds: number }> {
  const planned = plan(schema, options);
  const uniform = uniforms(3);
  const distancesTo = ORDERS.map((order) => {
    const sets = Array.from({ length: SETS }, () => drawnSet(schema.attributes.length, order, uniform));
    return sparseDistances(schema, table, sets);
  });
  const runs: number[][] = [];
  let seconds = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const before = process.cpuUsage();
    const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
    seconds = Math.max(seconds, process.cpuUsage(before).user / 1e6);
    runs.push(distancesTo.map((distanceTo) => distanceTo(made.table)));
  }
  return { distances: ORDERS.map((_, at) => mean(runs.map((run) => run[at]))), seconds };
}

function drawnSet(columns: number, order: number, uniform: () => number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < order) chosen.add(Math.floor(uniform() * columns));
  return [...chosen].sort((a, b) => a - b);
}

/** A table drawn from a network over columns of these sizes. */
function networkTable(sizes: readonly number[], rows: number): Subject {
  const uniform = uniforms(7);
  const parents = sizes.map((_, column) => {
    const before = Array.from({ length: Math.min(column, 6) }, (_, back) => column - 1 - back);
    const count = Math.min(before.length, 1 + Math.floor(4 * uniform()));
    return before
      .map((parent) => ({ parent, key: uniform() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ parent }) => parent);
  });
  const laws = sizes.map((size, column) => {
    const combinations = parents[column].reduce((product, parent) => product * sizes[parent], 1);
    return Array.from({ length: combinations }, () => drawnLaw(size, uniform));
  });
  const lines = Array.from({ length: rows }, () => {
    const codes: number[] = [];
    for (const [column, law] of laws.entries()) {
      const given = parents[column].reduce((at, parent) => at * sizes[parent] + codes[parent], 0);
      const x = uniform();
      codes.push(law[given].findIndex((upTo) => x < upTo));
    }
    return codes.join();
  });
  const fields = sizes.map((size, column) => ({
    name: `c${column}`,
    type: "string",
    constraints: { enum: Array.from({ length: size }, (_, code) => String(code)), required: true },
  }));
  const schema = parseSchema({ fields });
  const header = fields.map(({ name }) => name).join();
  return { schema, table: parseCsv(`${[header, ...lines].join("\n")}\n`, schema) };
}

/** Cumulated probabilities, the last of them 1. Most of them are far from even: powers 1.5 of exponential variables. */
function drawnLaw(size: number, uniform: () => number): number[] {
  const weights = Array.from({ length: size }, () => (-Math.log(1 - uniform())) ** 1.5);
  const total = weights.reduce((a, b) => a + b, 0);
  let sum = 0;
  return weights.map((weight, code) => {
    sum += weight / total;
    return code === size - 1 ? 1 : sum;
  });
}

/** Numbers from 0 to 1 of a linear congruential generator of 32 bits, from its upper bits. */
function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
