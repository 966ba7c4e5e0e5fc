// What synthetic tables are worth for learning: macro F1 of a logistic regression that is trained on them, on real
// rows that were held out, beside one that is trained on the real rows. The tasks are those of the private-gsd paper
// on Californian ACS data of 2018: income, public coverage and mobility. `pairs` measures all pairs of columns;
// `target` measures what predicts the target (`--target`); `with the target` measures triples that contain the target,
// chosen in rounds; `and prefixes` chooses among all pairs, triples of categories with the target, and prefixes of
// numbers that are asked about each category of the target. `rap++` has the queries of its paper: those triples of
// categories, and linear thresholds of the numbers that are asked about each category of the target. `independent`
// measures single columns alone.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Table } from "../src/core/table.js";
import { measure, type PlanOptions, plan, resample, type Schema } from "../src/node.js";
import { nonPrivateUtility } from "../src/owner.js";
import { uniforms } from "../test/reference/statistics.js";
import type { Report, Setting } from "./bench.js";
import { dotPlot } from "./plot.js";
import { mean, noiseKey, paperTask } from "./tables.js";

const TASKS = [
  { name: "income", file: "INC", target: "PINCP" },
  { name: "coverage", file: "COV", target: "PUBCOV" },
  { name: "mobility", file: "MOB", target: "MIG" },
] as const;
const EPSILONS = [0.1, 0.5, 1];
const SEEDS = 3;
const TEST_SHARE = 0.2;
/** The series of classifiers that are trained on real rows. */
const REAL = "real rows";

/** Triples of the target and two other categorical columns. */
function categoryTriples({ attributes }: Schema, target: string): string[][] {
  const others = attributes.filter(({ name, ordered }) => !ordered && name !== target).map(({ name }) => name);
  return others.flatMap((one, at) => others.slice(at + 1).map((other) => [target, one, other]));
}

/** The numeric columns and the target. */
function numbersAnd({ attributes }: Schema, target: string): string[] {
  return attributes.filter(({ name, ordered }) => ordered || name === target).map(({ name }) => name);
}

const WORKLOADS: Record<string, (schema: Schema, target: string) => PlanOptions> = {
  independent: () => ({ workload: "1-way" }),
  pairs: () => ({}),
  target: (_, target) => ({ target }),
  "with the target": ({ attributes }, target) => {
    const others = attributes.map(({ name }) => name).filter((name) => name !== target);
    const triples = others.flatMap((one, at) => others.slice(at + 1).map((other) => [target, one, other]));
    return { workload: triples };
  },
  "and prefixes": (schema, target) => {
    const columns = numbersAnd(schema, target);
    const prefixes = { query: "random-prefixes", columns, count: 20_000, seed: 1, each: true } as const;
    const triples = categoryTriples(schema, target);
    return { workload: [{ columns: "2-way" }, ...triples], queries: [prefixes], selection: "max" };
  },
  "rap++": (schema, target) => {
    const drawing = { count: 200_000, seed: 1, labels: [target], each: true };
    const thresholds = { query: "random-half-spaces", columns: numbersAnd(schema, target), ...drawing } as const;
    return { mechanism: "rap++", workload: categoryTriples(schema, target), queries: [thresholds] };
  },
};

/** The mean F1 over seeds of one workload on one task at one ε, and that of the real rows. */
interface Row {
  readonly task: string;
  readonly epsilon: number;
  readonly workload: string;
  readonly f1: number;
  readonly real: number;
}

export default async function f1(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("f1 skipped: STANDIN_DATA names no folder of tables.");
  const rows: Row[] = [];
  for (const { name, file, target } of TASKS) {
    const { schema, table } = paperTask(join(data, "acs"), file);
    const { train, test } = parted(table);
    for (const epsilon of EPSILONS)
      for (const [workload, options] of Object.entries(WORKLOADS)) {
        const planned = plan(schema, { epsilon, delta: 1e-9, ...options(schema, target) });
        const found: { real: number; synthetic: number }[] = [];
        for (let seed = 0; seed < SEEDS; seed++) {
          const made = await resample(await measure(train, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
          const { targets } = await nonPrivateUtility(train, made.table, schema, [target], { test });
          const { real, synthetic } = targets[0].f1;
          found.push({ real: real!, synthetic: synthetic! });
        }
        const row = {
          task: name,
          epsilon,
          workload,
          f1: mean(found.map(({ synthetic }) => synthetic)),
          real: found[0].real,
        };
        report({ metric: `${name} ε=${epsilon} F1, ${workload}`, value: row.f1, better: "higher" });
        rows.push(row);
      }
    report({ metric: `${name} F1, real rows`, value: rows.at(-1)!.real, better: "higher" });
  }
  keep(folder, rows);
}

/** Stores the rows next to the bench, as f1.csv, and as a plot in f1.svg. */
function keep(folder: string, rows: readonly Row[]): void {
  const lines = rows.map(({ task, epsilon, workload, f1, real }) =>
    [task, epsilon, workload, f1.toFixed(4), real.toFixed(4)].join(),
  );
  writeFileSync(join(folder, "f1.csv"), `task,epsilon,workload,f1,f1_real\n${lines.join("\n")}\n`);
  const dots = rows.flatMap(({ task, epsilon, workload, f1, real }) => {
    const line = `${task} ε=${epsilon}`;
    return [
      { line, series: workload, value: f1 },
      { line, series: REAL, value: real },
    ];
  });
  const title = "macro F1 of logistic regression on held-out real rows";
  writeFileSync(join(folder, "f1.svg"), dotPlot(`f1: ${title}`, [{ title, dots }], [...Object.keys(WORKLOADS), REAL]));
}

/** The rows of a table in two parts, the same ones each time. */
function parted(table: Table): { train: Table; test: Table } {
  const uniform = uniforms(1);
  const isTest = Array.from({ length: table.length }, () => uniform() < TEST_SHARE);
  const part = (wanted: boolean) => {
    const columns = table.columns.map(({ name, codec, codes }) => ({
      ...{ name, codec },
      codes: codes.filter((_, row) => isTest[row] === wanted),
    }));
    return new Table(columns, columns[0].codes.length, table.delimiter, undefined, table.descriptor);
  };
  return { train: part(false), test: part(true) };
}
