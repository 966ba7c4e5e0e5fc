// Time and memory as functions of rows, columns and cells. The time to search 2,000 rows grows with the number of cells
// measured. It is taken for all pairs, with none left out, of 28, 55 and 110 columns of a real table, and of 300
// columns made from it. The number of rows matters only for measuring: all pairs of 20 columns at 10^4 … 10^6 rows.
// Finally, rounds over the 54,740 triples of 70 columns.
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
import type { Report, Setting } from "./bench.js";
import { noiseKey } from "./tables.js";
import { wideTable } from "./wide-tables.js";

const SEARCHED = 2000;
const COLUMNS = [28, 55, 110, 300];

export default async function scale(report: Report, { data }: Setting): Promise<void> {
  if (data) await byColumns(report, data);
  else console.log("scale skipped the wide tables: STANDIN_DATA names no folder of tables.");
  const measuredRows: number[] = [];
  for (const rows of [10_000, 100_000, 1_000_000]) {
    const { measured, searched } = await timed(generated(rows, 20, 12));
    measuredRows.push(measured);
    report({ metric: `${rows} rows x 20 columns, measured, s`, value: measured });
    report({ metric: `${rows} rows x 20 columns, searched, s`, value: searched });
  }
  report({ metric: "measured, 10^6 rows / 10^5 rows", value: measuredRows[2] / measuredRows[1], target: 12 });
  const rounds = await timed(generated(10_000, 70, 3), { workload: "3-way", rounds: 4, perRound: 10 });
  report({ metric: "4 rounds over 54740 triples, s", value: rounds.measured });
  report({ metric: "peak resident memory, MB", value: process.resourceUsage().maxRSS / 1024 });
}

async function byColumns(report: Report, data: string): Promise<void> {
  const perCell: number[] = [];
  for (const columns of COLUMNS) {
    const { measured, searched, cells } = await timed(wideTable(data, columns), { selection: "none" });
    perCell.push((measured + searched) / cells);
    const what = `${columns} columns, ${(cells / 1e6).toFixed(2)} M cells`;
    report({ metric: `${what}, measured, s`, value: measured });
    report({ metric: `${what}, searched, s`, value: searched });
    report({ metric: `${what}, peak resident memory, MB`, value: process.resourceUsage().maxRSS / 1024 });
  }
  report({ metric: "time a cell, 300 columns / 110", value: perCell[3] / perCell[2], target: 2 });
  report({ metric: "time a cell, 110 columns / 28", value: perCell[2] / perCell[0], target: 2 });
}

/** The number of cells of a table of these columns, whatever the groups it was measured by. */
const tableCells = (columns: readonly number[], { attributes }: Schema): number =>
  columns.reduce((product, column) => product * attributes[column].size, 1);

/** A table whose columns have `size` codes each, where each column depends on the one before it. */
function generated(rows: number, columns: number, size: number): { schema: Schema; table: Table } {
  const names = Array.from({ length: columns }, (_, column) => `c${column}`);
  const constraints = { minimum: 0, maximum: size - 1, required: true };
  const schema = parseSchema({ fields: names.map((name) => ({ name, type: "integer", constraints })) });
  const lines = Array.from({ length: rows }, (_, row) =>
    names.map((_, column) => (row * 7919 + column * ((row >> 3) % 3)) % size).join(),
  );
  return { schema, table: parseCsv(`${names.join()}\n${lines.join("\n")}\n`, schema) };
}

/** The seconds taken to measure a table and to search for rows, and the number of cells measured. */
async function timed({ schema, table }: { schema: Schema; table: Table }, options: PlanOptions = {}) {
  const planned = plan(schema, { epsilon: 1, ...options });
  const start = performance.now();
  const release = await measure(table, planned, { rows: SEARCHED, seed: 1, unsafeNoiseKey: noiseKey(1) });
  const between = performance.now();
  await resample(release);
  return {
    measured: (between - start) / 1000,
    searched: (performance.now() - between) / 1000,
    cells: release.measurements.reduce((sum, { query }) => sum + tableCells(query.columns, schema), 0),
  };
}
