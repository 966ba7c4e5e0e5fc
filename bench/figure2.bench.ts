// Figure 2 of the Private-GSD paper: how fast its search converges with and without crossovers, on a table that is
// sparse and has many categories: five columns with 1000 each, 2000 rows, of which the histogram of each column is to
// be matched.
import { measure, parseCsv, parseSchema, plan, resample } from "../src/node.js";
import { uniforms } from "../test/reference/statistics.js";
import type { Report } from "./bench.js";
import { noiseKey } from "./tables.js";

const [COLUMNS, CATEGORIES, ROWS] = [5, 1000, 2000];
/** How many categories of a column occur in the table. */
const OCCURRING = 20;
const GENERATIONS = [1000, 2000, 5000, 10_000, 20_000, 40_000];
const VARIANTS = {
  "mutations alone": { mutations: 200, crossovers: 0 },
  "with crossovers": { mutations: 100, crossovers: 100 },
};

export default async function figure2(report: Report) {
  const names = Array.from({ length: COLUMNS }, (_, at) => `c${at}`);
  const constraints = { minimum: 0, maximum: CATEGORIES - 1, required: true };
  const fields = names.map((name) => ({ name, type: "integer", constraints, standin: { bins: CATEGORIES } }));
  const schema = parseSchema({ fields });
  const uniform = uniforms(1);
  const occurring = names.map(() => Array.from({ length: OCCURRING }, () => Math.floor(uniform() * CATEGORIES)));
  const row = () => occurring.map((codes) => codes[Math.floor(uniform() * OCCURRING)]);
  const table = parseCsv(`${names}\n${Array.from({ length: ROWS }, row).join("\n")}\n`, schema);
  const losses: Record<string, number[]> = {};
  for (const [variant, population] of Object.entries(VARIANTS)) {
    losses[variant] = [];
    for (const generations of GENERATIONS) {
      const search = { method: "paper", ...population, generations, tolerance: 0 } as const;
      const planned = plan(schema, { epsilon: 1000, workload: "1-way", search, estimate: "raw" });
      const release = await measure(table, planned, { rows: ROWS, seed: 1, unsafeNoiseKey: noiseKey(1) });
      const { outcome } = await resample(release);
      const loss = outcome.loss / outcome.startLoss;
      losses[variant].push(loss);
      report({ metric: `${variant}, share of the loss left after ${generations}`, value: loss, better: "lower" });
    }
  }
  const [alone, crossed] = Object.values(losses).map((values) => values[3]);
  report({ metric: "ratio of these losses after 10000", value: alone / crossed, target: 10, better: "higher" });
}
