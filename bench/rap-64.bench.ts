// RAP and RAPsoftmax on Adult with the 64 sets of three columns of Liu et al. 2021 (458,996 cells): replace, δ = 1/n²,
// ρ by the simple bound as in the paper, ε = 1.
import { join } from "node:path";
import { finished } from "../src/core/progress.js";
import { RelaxedModel } from "../src/models/relaxed.js";
import { plan, type Schema } from "../src/node.js";
import { cellAt } from "../src/queries/cells.js";
import { cellsOf, type Query } from "../src/queries/query.js";
import type { Report, Setting } from "./bench.js";
import { simpleRho, tried } from "./rounds.js";
import { codedTable } from "./tables.js";

/** The columns of each set, by their places in the table, in base 14. */
const SETS =
  "57a 58c 46d 038 135 45d 7cd 59d 4bd 179 469 139 367 2bd 18c 234 04d 6ad 13d 36b 346 027 018 167 1ac 156 79c 035 47a " +
  "267 68c 145 01d 238 48c 67d 68a 34b 256 0cd 6bc 35c 689 89c 3cd 9bd 369 23d 123 35d 37c 289 067 26c 359 46c 58d 089 " +
  "567 489 48a 048 159 157";

/** How many cells are measured in a step that is timed, and how many steps are made. */
const CELLS = 100;
const STEPS = 100;
const RUNS = 5;

export default async function rap64(report: Report, { data }: Setting) {
  if (!data) return console.log("rap-64 skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const nameOf = (place: string) => schema.attributes[Number.parseInt(place, 14)].name;
  const workload = SETS.split(" ").map((set) => [...set].map(nameOf));
  const rho = simpleRho(1, table.length);
  for (const [mechanism, perRound, target, seconds] of [
    ["rap-softmax", 10, 0.029, 8],
    ["rap", 50, undefined, 20],
  ] as const) {
    const found = await tried(schema, table, { rho, mechanism, workload, rounds: 10, perRound }, 2);
    report({ metric: `${mechanism} max_error T=10 K=${perRound}`, value: found.error, target });
    report({ metric: `${mechanism} s T=10 K=${perRound}`, value: found.seconds, target: seconds });
  }
  const { step, scoring } = await timed(schema, plan(schema, { epsilon: 1, workload }).problem.workload);
  report({ metric: `rap-softmax ms a step, ${CELLS} cells`, value: step, target: 5 });
  report({ metric: "rap-softmax s scoring all cells", value: scoring, target: 0.3 });
}

/** The shortest times of a step, in ms, and of answers to the whole workload, in s. */
async function timed({ attributes }: Schema, workload: readonly Query[]) {
  const settings = { relaxation: "softmax", rows: 1000, steps: STEPS, rate: 0.1 } as const;
  // One of these cells cannot have what is asked of it, so that no fit ends before its last step.
  const measurements = Array.from({ length: CELLS }, (_, at) => {
    const query = workload[at % workload.length];
    const cell = cellAt(query, (at * 7919) % cellsOf(query, attributes), attributes);
    return { query: cell, answers: Int32Array.of(at ? 10 : 1000), sigma2: 1e-6 };
  });
  const best = { step: Number.POSITIVE_INFINITY, scoring: Number.POSITIVE_INFINITY };
  for (let seed = 0; seed < RUNS; seed++) {
    const model = new RelaxedModel(attributes, settings);
    const start = performance.now();
    const { steps } = await finished(model.fit({ measurements, total: 1000, adaptive: true }, { rows: 1, seed }), {});
    const fitted = performance.now();
    await model.answers(workload);
    const answered = performance.now();
    await model.answers(workload);
    best.step = Math.min(best.step, (fitted - start) / steps);
    best.scoring = Math.min(best.scoring, (answered - fitted) / 1000);
    model.close();
  }
  return best;
}
