// Structure of three to five columns, in tables of few codes and in others: the default, Private-GSD's three-way
// workload, and graphical models in rounds. Two tables are of 16 and 23 binary columns and one has the sizes of BR2000.
// They are drawn from a public law: a Bayesian network in which every column has one to four parents among the six
// before it, and for each combination of their codes a distribution that is drawn once.
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
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { codedTable, mean, noiseKey } from "./tables.js";

const EPSILONS = [0.1, 0.8, 3.2];
const SEEDS = 3;
const ORDERS = [3, 4, 5];
/** The sets of each order that are compared. */
const SETS = 50;

/** What is compared. AIM and three-way rounds of triples have no room in tables with many codes. */
const VARIANTS: Record<string, PlanOptions> = {
  default: {},
  independent: { workload: "1-way" },
  "3-way": { workload: "3-way" },
  aim: { mechanism: "aim", workload: "3-way" },
  "mwem-pgm": { mechanism: "mwem-pgm", workload: "3-way" },
};
const OF_PAIRS: Record<string, PlanOptions> = {
  default: {},
  independent: { workload: "1-way" },
  aim: { mechanism: "aim" },
  "mwem-pgm": { mechanism: "mwem-pgm" },
};

interface Subject {
  readonly schema: Schema;
  readonly table: Table;
}

export default async function highOrder(report: Report, { data }: Setting) {
  const subjects: [string, Subject, Record<string, PlanOptions>][] = [
    ["16 binary", networkTable(new Array(16).fill(2), 20_000), VARIANTS],
    ["23 binary", networkTable(new Array(23).fill(2), 20_000), VARIANTS],
    ["BR2000-like", networkTable([2, 2, 3, 4, 2, 5, 7, 3, 2, 6, 11, 4, 15, 9], 38_000), VARIANTS],
  ];
  if (data) subjects.push(["adult", codedTable(join(data, "adult"), "adult_coded"), OF_PAIRS]);
  else console.log("high-order without Adult: STANDIN_DATA names no folder of tables.");
  for (const [name, subject, variants] of subjects)
    for (const epsilon of EPSILONS) {
      const found = new Map<string, readonly number[]>();
      for (const [variant, options] of Object.entries(variants)) {
        const distances = await distancesOf(subject, { epsilon, delta: 1e-9, ...options });
        found.set(variant, distances);
        for (const [at, order] of ORDERS.entries())
          report({ metric: `${name} ε=${epsilon} ${order}-way TV, ${variant}`, value: distances[at] });
      }
      for (const [at, order] of ORDERS.entries()) {
        const made = found.get("default")![at];
        const ratio = (other: number) => made / other;
        const best = Math.min(...[...found.values()].map((distances) => distances[at]));
        const metric = `${name} ε=${epsilon} ${order}-way, default`;
        report({ metric: `${metric} / independent`, value: ratio(found.get("independent")![at]), target: 1 });
        report({ metric: `${metric} / aim`, value: ratio(found.get("aim")![at]), target: 1 });
        report({ metric: `${metric} / best`, value: ratio(best), target: 1.03 });
      }
    }
}

/** The mean total variation distance over sets of each order. */
async function distancesOf({ schema, table }: Subject, options: PlanOptions): Promise<number[]> {
  const planned = plan(schema, options);
  const names = schema.attributes.map(({ name }) => name);
  const uniform = uniforms(3);
  const sets = ORDERS.map((order) => Array.from({ length: SETS }, () => drawnSet(names, order, uniform)));
  const runs: number[][] = [];
  for (let seed = 0; seed < SEEDS; seed++) {
    const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
    runs.push(sets.map((some) => nonPrivateQueryErrors(table, made.table, schema, some).meanTv));
  }
  return ORDERS.map((_, at) => mean(runs.map((run) => run[at])));
}

function drawnSet(names: readonly string[], order: number, uniform: () => number): string[] {
  const chosen = new Set<string>();
  while (chosen.size < order) chosen.add(names[Math.floor(uniform() * names.length)]);
  return names.filter((name) => chosen.has(name));
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
