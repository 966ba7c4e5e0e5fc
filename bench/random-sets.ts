// How accurately synthetic tables answer 200,000 random queries that nobody listed: the Private-GSD paper's tasks, from
// a plan that measures single columns only and so knows them as independent, from the default plan, and from plans with
// rounds that choose among the queries themselves, with Private-GSD and with RAP++.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, type PlanOptions, plan, resample, type Schema, type Table } from "../src/node.js";
import { comparedColumns, type Query } from "../src/queries/query.js";
import { RowAnswers } from "../src/queries/row-answers.js";
import { workloadQueries } from "../src/queries/workload.js";
import { modelColumns } from "../src/schema/encode.js";
import { refined } from "../src/schema/refine.js";
import type { Report, Setting } from "./bench.js";
import { dotPlot } from "./plot.js";
import { mean, noiseKey, paperTask } from "./tables.js";

const TASKS = ["MOB", "COV", "INC"] as const;
const EPSILONS = [0.07, 0.23, 0.52, 0.74, 1];
const SEEDS = 3;
export const COUNT = 200_000;
const [INDEPENDENT, ROUNDS, RAP] = ["independent", "rounds", "rap++"];
/** Rounds of Private-GSD have at most so many times the mean error of RAP++, on these tasks. */
const MOST = 1.02;
const COMPARED: readonly string[] = ["MOB", "COV"];

type Entry = NonNullable<PlanOptions["queries"]>[number];

/** What is measured, to answer the queries of one entry. */
const VARIANTS: Record<string, (asked: Entry) => Omit<PlanOptions, "epsilon">> = {
  [INDEPENDENT]: () => ({ workload: "1-way", estimate: "raw" }),
  pairs: () => ({}),
  [ROUNDS]: (asked) => ({ workload: [asked], selection: "max" }),
  [RAP]: (asked) => ({ workload: [asked], mechanism: "rap++" }),
};

/** One variant on one task at one ε: the errors of the answers, as shares of the rows, averaged over seeds. */
interface Line {
  readonly task: string;
  readonly epsilon: number;
  readonly variant: string;
  readonly mean: number;
  readonly max: number;
  readonly rms: number;
}

/** @param name the bench's: of its figures, and of the files in which they are kept */
export async function compareRandomSets(
  name: string,
  setOf: (schema: Schema) => Entry,
  report: Report,
  { data, folder }: Setting,
): Promise<void> {
  if (!data) return console.log(`${name} skipped: STANDIN_DATA names no folder of tables.`);
  const lines: Line[] = [];
  for (const task of TASKS) {
    const { schema, table } = paperTask(join(data, "acs"), task);
    const asked = setOf(schema);
    const queries = workloadQueries([asked], schema);
    const coded = refined(schema, comparedColumns(queries));
    const real = sharesOf(table, coded, queries[0]);
    for (const epsilon of EPSILONS) {
      const found = new Map<string, Line>();
      for (const [variant, options] of Object.entries(VARIANTS)) {
        const planned = plan(schema, { epsilon, delta: 1 / table.length ** 2, ...options(asked) });
        const errors = [];
        for (let seed = 0; seed < SEEDS; seed++) {
          const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
          const shares = sharesOf(made.table, coded, queries[0]);
          errors.push(errorsOf(shares.map((share, at) => Math.abs(share - real[at]))));
        }
        const line = { task, epsilon, variant, ...averaged(errors) };
        found.set(variant, line);
        lines.push(line);
        for (const metric of ["mean", "max"] as const)
          report({ metric: `${task} ε=${epsilon} ${metric} error, ${variant}`, value: line[metric], better: "lower" });
      }
      const best = Math.min(...[...found].flatMap(([variant, line]) => (variant === INDEPENDENT ? [] : [line.mean])));
      const ratio = { metric: `${task} ε=${epsilon} mean error, independent / best`, better: "higher" } as const;
      const target = epsilon === 1 ? { target: 2 } : {};
      report({ ...ratio, value: found.get(INDEPENDENT)!.mean / best, ...target });
      const value = found.get(ROUNDS)!.mean / found.get(RAP)!.mean;
      const most = COMPARED.includes(task) ? { target: MOST } : {};
      report({ metric: `${task} ε=${epsilon} mean error, private-gsd / rap++`, value, ...most });
    }
    keep(name, folder, lines); // half-spaces take hours
  }
}

function sharesOf(table: Table, schema: Schema, query: Query): Float64Array {
  const answers = RowAnswers.ofColumns(schema.attributes, modelColumns(table, schema), table.length);
  try {
    return Float64Array.from(answers.of(query), (count) => count / table.length);
  } finally {
    answers.drop();
  }
}

function errorsOf(errors: Float64Array): Pick<Line, "mean" | "max" | "rms"> {
  return {
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    max: errors.reduce((most, error) => Math.max(most, error), 0),
    rms: Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length),
  };
}

const averaged = (errors: readonly Pick<Line, "mean" | "max" | "rms">[]) => ({
  mean: mean(errors.map((error) => error.mean)),
  max: mean(errors.map((error) => error.max)),
  rms: mean(errors.map((error) => error.rms)),
});

/** Stores the lines next to the bench, as CSV and as a plot. */
function keep(name: string, folder: string, lines: readonly Line[]): void {
  const cells = lines.map(({ task, epsilon, variant, ...errors }) =>
    [task, epsilon, variant, ...[errors.mean, errors.max, errors.rms].map((error) => error.toPrecision(4))].join(),
  );
  writeFileSync(join(folder, `${name}.csv`), `task,epsilon,variant,mean,max,rms\n${cells.join("\n")}\n`);
  const panels = (["mean", "max"] as const).map((metric) => ({
    title: `${metric} error`,
    dots: lines.map(({ task, epsilon, variant, ...errors }) => ({
      line: `${task} ε=${epsilon}`,
      series: variant,
      value: errors[metric],
    })),
  }));
  const title = `${name}: errors of ${COUNT.toLocaleString("en-GB")} random queries, as shares of the rows`;
  writeFileSync(join(folder, `${name}.svg`), dotPlot(title, panels, Object.keys(VARIANTS)));
}
