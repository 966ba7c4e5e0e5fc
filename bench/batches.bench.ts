// A search in batches compared with one without, from the same answers: time, and how far the rows are from the real
// table. N′ = 49,999 is the most rows that a descent does not search in batches by itself; seeds 1 … 3.
import { finished } from "../src/core/progress.js";
import { RowsModel } from "../src/models/rows.js";
import { measure, plan, type Release, type Table } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { DESCENT, IN_BATCHES, type SearchSettings } from "../src/projection/settings.js";
import { decodeRows } from "../src/schema/decode.js";
import type { Report, Setting } from "./bench.js";
import { mean, noiseKey, publishedSubjects } from "./tables.js";

const ROWS = 49_999;
const SEEDS = [1, 2, 3];
const METHODS: Record<string, SearchSettings> = { descent: DESCENT, batches: IN_BATCHES };

export default async function batches(report: Report, { data }: Setting): Promise<void> {
  if (!data) return console.log("batches skipped: STANDIN_DATA names no folder of tables.");
  for (const { name, schema, read } of publishedSubjects(data))
    for (const epsilon of [1, 10]) {
      const table = read();
      const release = await measure(table, plan(schema, { epsilon }), { unsafeNoiseKey: noiseKey(1) });
      const times: number[] = [];
      for (const [method, settings] of Object.entries(METHODS)) {
        const runs = [];
        for (const seed of SEEDS) runs.push(await searched(table, release, settings, seed));
        const what = `${name}, epsilon ${epsilon}, ${method}`;
        times.push(Math.min(...runs.map(({ seconds }) => seconds)));
        report({ metric: `${what}, s`, value: times.at(-1)! });
        report({ metric: `${what}, sweeps`, value: mean(runs.map(({ steps }) => steps)) });
        report({ metric: `${what}, mean 2-way TV`, value: mean(runs.map(({ distance }) => distance)) });
      }
      report({ metric: `${name}, epsilon ${epsilon}, times as long in batches`, value: times[1] / times[0] });
    }
}

async function searched(table: Table, release: Release, settings: SearchSettings, seed: number) {
  const { schema, facts, measurements } = release;
  const model = new RowsModel(schema.attributes, "shrunk", settings);
  let start = 0;
  // The first report comes after some milliseconds of search; before it, targets are estimated.
  const onProgress = () => {
    start ||= performance.now();
  };
  const fit = model.fit({ measurements, total: facts.total, adaptive: false }, { rows: ROWS, seed });
  const { steps } = await finished(fit, { onProgress });
  const seconds = (performance.now() - start) / 1000;
  const [{ codes }] = await finished(model.tables(1), {});
  const rows = decodeRows(schema, facts.columns, facts.delimiter, codes, seed);
  return { seconds, steps, distance: nonPrivateQueryErrors(table, rows, schema).meanTv };
}
