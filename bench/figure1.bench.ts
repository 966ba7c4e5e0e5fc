// Figure 1 of the Private-GSD paper: a column whose values are all 0.5, of which three prefixes are known, with
// thresholds at 0.49, 0.50 and 0.51. Searches by gradients spread the values, as RAP++ does; those of Private-GSD must
// bring them where they are.

import { finished } from "../src/core/progress.js";
import { rapPlusPlus } from "../src/mechanisms/rap-plus-plus.js";
import { AnnealedModel, type AnnealedSettings } from "../src/models/annealed.js";
import { measure, parseCsv, parseSchema, plan, resample, type Schema } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { workloadQueries } from "../src/queries/workload.js";
import { refined } from "../src/schema/refine.js";
import type { Report } from "./bench.js";
import { noiseKey } from "./tables.js";

const ROWS = 1000;
const STEP = 0.001;
/** Noise of so little that answers are exact once they are rounded. */
const EPSILON = 1000;
const THRESHOLDS = [0.49, 0.5, 0.51];
/** The histogram has bars for values above k/100 up to (k + 1)/100. */
const BARS = Array.from({ length: 100 }, (_, bar) => `x > ${bar / 100} and x <= ${(bar + 1) / 100}`);

/** The paper's first steepness and the published code's rate, with which RAP++ fails; and the package's own. */
const PUBLISHED = "published settings";
const DEFAULTS = rapPlusPlus.options({}).search as unknown as AnnealedSettings;
const RAP_SETTINGS = {
  [PUBLISHED]: { ...DEFAULTS, steepness: 2, stages: 11, rate: 0.006, steps: 2000 },
  defaults: DEFAULTS,
};

export default async function figure1(report: Report) {
  const field = {
    name: "x",
    type: "number",
    constraints: { minimum: 0, maximum: 1, required: true },
    standin: { granularity: `${STEP}` },
  };
  const schema = parseSchema({ fields: [field] });
  const table = parseCsv(`x\n${"0.5\n".repeat(ROWS)}`, schema);
  for (const method of ["descent", "paper"] as const) {
    const planned = plan(schema, {
      epsilon: EPSILON,
      workload: [{ expressions: THRESHOLDS.map((threshold) => `x <= ${threshold}`) }],
      search: { method },
    });
    const made = await resample(await measure(table, planned, { rows: ROWS, seed: 1, unsafeNoiseKey: noiseKey(1) }));
    const histogram = [{ expressions: BARS, partition: true }];
    const { maxTv } = nonPrivateQueryErrors(table, made.table, schema, histogram);
    report({ metric: `${method}, distance of histograms`, value: maxTv, target: 0 });
  }
  for (const [name, settings] of Object.entries(RAP_SETTINGS)) {
    const value = await spreadByRap(schema, settings);
    const failure = name === PUBLISHED ? ({ better: "higher", target: 0.1 } as const) : {};
    report({ metric: `rap++, ${name}, distance of histograms`, value, ...failure });
  }
}

/** The distance of histograms that RAP++'s rows have, given the three answers and nothing else. */
async function spreadByRap(schema: Schema, settings: AnnealedSettings): Promise<number> {
  const { attributes } = refined(schema, new Set([0]));
  const boxes = THRESHOLDS.map((threshold) => [[0, Math.round((threshold + STEP / 2) * 2 ** 32)] as const]);
  const [query] = workloadQueries([{ query: "ranges", columns: ["x"], boxes }], schema);
  const measurement = { query, answers: Int32Array.of(0, ROWS, ROWS), sigma2: 0.01 };
  const model = new AnnealedModel(attributes, settings);
  const observed = { measurements: [measurement], total: ROWS, adaptive: false };
  await finished(model.fit(observed, { rows: ROWS, seed: 1 }), {});
  const [{ codes }] = await finished(model.tables(1), {});
  // The codes are the steps of the column; all values are in the same bar.
  return codes[0].filter((code) => Math.ceil(code * STEP * BARS.length - 1e-9) !== BARS.length / 2).length / ROWS;
}
