// Figure 1 of the Private-GSD paper: a column whose values are all 0.5, of which three prefixes are known, with
// thresholds at 0.49, 0.50 and 0.51. Searches by gradients spread the values; here they must come out where they are.
import { measure, parseCsv, parseSchema, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report } from "./bench.js";
import { noiseKey } from "./tables.js";

const ROWS = 1000;
const STEP = 0.001;
/** Noise of so little that answers are exact once they are rounded. */
const EPSILON = 1000;
const THRESHOLDS = [0.49, 0.5, 0.51];
/** The histogram has bars for values above k/100 up to (k + 1)/100. */
const BARS = Array.from({ length: 100 }, (_, bar) => `x > ${bar / 100} and x <= ${(bar + 1) / 100}`);

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
}
