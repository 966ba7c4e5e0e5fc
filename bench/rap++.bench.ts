// RAP++ on ACS mobility with 200,000 linear thresholds of the numeric columns, asked about each category of the target:
// a step with 250 of them measured on 1,000 relaxed rows, and the answers of all of them on relaxed and on real rows.
// Times are those of the processor, since all work is on one thread.
import { join } from "node:path";
import { finished } from "../src/core/progress.js";
import { openWasmKernels } from "../src/gradient/wasm-kernels.js";
import { rapPlusPlus } from "../src/mechanisms/rap-plus-plus.js";
import { AnnealedModel, type AnnealedSettings } from "../src/models/annealed.js";
import { linesOf, SmoothQueries } from "../src/models/smooth-queries.js";
import { SmoothRows } from "../src/models/smooth-rows.js";
import { membersAt } from "../src/queries/members.js";
import { comparedColumns } from "../src/queries/query.js";
import { RowAnswers } from "../src/queries/row-answers.js";
import { workloadQueries } from "../src/queries/workload.js";
import { modelColumns } from "../src/schema/encode.js";
import { refined } from "../src/schema/refine.js";
import type { Report, Setting } from "./bench.js";
import { paperTask } from "./tables.js";

const ROWS = 1000;
const MEASURED = 250;
const STEPS = 100;
const TARGET = "MIG";

export default async function rapPlusPlusBench(report: Report, { data }: Setting) {
  if (!data) return console.log("rap++ skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = paperTask(join(data, "acs"), "MOB");
  const columns = schema.attributes.filter(({ name, ordered }) => ordered || name === TARGET).map(({ name }) => name);
  const drawing = { count: 200_000, seed: 1, labels: [TARGET], each: true };
  const [query] = workloadQueries([{ query: "random-half-spaces", columns, ...drawing }], schema);
  const coded = refined(schema, comparedColumns([query]));
  const { attributes } = coded;
  const real = RowAnswers.ofColumns(attributes, modelColumns(table, coded), table.length);

  const some = membersAt(query, [...new Array(MEASURED).keys()]);
  const lines = linesOf(attributes);
  const queries = new SmoothQueries(attributes, lines);
  const factors = queries.factorsOf(some);
  const answers = real.of(some);
  const aims = {
    ...{ lines: Uint32Array.from(factors.flat()), order: factors[0].length },
    fractions: Float32Array.from(answers, (answer) => answer / table.length),
    weights: new Float32Array(answers.length).fill(1),
  };
  const shares = new Float32Array(lines.count * ROWS).map((_, at) => ((at * 7919) % ROWS) / ROWS);
  const smooth = new SmoothRows(openWasmKernels(), lines, ROWS, shares, {
    ...{ products: [aims], sigmoids: queries.sigmoids() },
  });
  const step = async () => {
    await smooth.loss(64);
    smooth.descend(1e-3, 64);
  };
  const steps = async () => {
    for (let turn = 0; turn < STEPS; turn++) await step();
  };
  const ms = (1000 * (await leastOf(5, steps))) / STEPS;
  report({ metric: "step ms, 250 × 2 of 200,000 thresholds", value: ms, target: 3 });

  const { search } = rapPlusPlus.options({});
  const model = new AnnealedModel(attributes, { ...(search as unknown as AnnealedSettings), stages: 1, steps: 25 });
  const measurements = [{ query: some, answers, sigma2: 1 }];
  await finished(model.fit({ measurements, total: table.length, adaptive: true }, { rows: ROWS, seed: 1 }), {});
  const seconds = await leastOf(5, async () => {
    model.close();
    await model.answers([query]);
  });
  report({ metric: "s for answers of relaxed rows", value: seconds, target: 0.3 });
  report({ metric: `s for answers of ${table.length} real rows`, value: await leastOf(1, () => real.of(query)) });
}

/** The least processor time of some runs, in seconds. */
async function leastOf(runs: number, job: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    await job();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}
