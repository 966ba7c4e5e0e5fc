// RAP and RAPsoftmax on the 64 sets of three columns of Adult: replace, δ = 1/n², ρ by the simple bound as in the
// paper, ε = 1.

import { finished } from "../src/core/progress.js";
import { RelaxedModel } from "../src/models/relaxed.js";
import { plan, type Schema } from "../src/node.js";
import { cellAt } from "../src/queries/cells.js";
import { cellsOf, type Query } from "../src/queries/query.js";
import { adult64 } from "./adult-64.js";
import type { Report, Setting } from "./bench.js";
import { simpleRho, tried } from "./rounds.js";

/** How many cells are measured in a step that is timed, and how many steps are made. */
const CELLS = 100;
const STEPS = 100;
const RUNS = 5;

export default async function rap64(report: Report, { data }: Setting) {
  if (!data) return console.log("rap-64 skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table, workload } = adult64(data);
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
