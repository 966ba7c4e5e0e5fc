// Time against rows, columns and cells: all pairs of 20 columns at 10^4 … 10^6 rows, and of 110 and 300 columns; then rounds over the 54,740
// triples of 70 columns. Rows count in measuring alone; searching 2,000 rows grows with the tables' cells.
import { measure, type PlanOptions, parseCsv, parseSchema, plan, resample } from "../src/node.js";
import type { Report } from "./bench.js";
import { noiseKey } from "./tables.js";

const SEARCHED = 2000;

export default async function scale(report: Report): Promise<void> {
  const byRows: number[] = [];
  for (const rows of [10_000, 100_000, 1_000_000]) {
    const { measured, searched } = await timed(rows, 20, 12, { workload: "2-way", selection: "none" });
    byRows.push(measured);
    report({ metric: `${rows} rows x 20 columns, measured, s`, value: measured });
    report({ metric: `${rows} rows x 20 columns, searched, s`, value: searched });
  }
  report({ metric: "measured, 10^6 rows / 10^5 rows", value: byRows[2] / byRows[1], target: 12 });
  const perCell: number[] = [];
  for (const [columns, size] of [
    [110, 4],
    [300, 4],
  ]) {
    const { measured, searched, cells } = await timed(10_000, columns, size, { workload: "2-way", selection: "none" });
    perCell.push((measured + searched) / cells);
    report({ metric: `${columns} columns, ${cells} cells, measured, s`, value: measured });
    report({ metric: `${columns} columns, ${cells} cells, searched, s`, value: searched });
  }
  report({ metric: "seconds a cell, 300 columns / 110", value: perCell[1] / perCell[0], target: 2.5 });
  const rounds = await timed(10_000, 70, 3, { workload: "3-way", rounds: 4, perRound: 10 });
  report({ metric: "4 rounds over 54740 triples, s", value: rounds.measured });
  report({ metric: "peak resident memory, MB", value: process.resourceUsage().maxRSS / 1024 });
}

/** Times for a table of columns of so many codes each, where each column leans on the one before it. */
async function timed(rows: number, columns: number, size: number, options: PlanOptions) {
  const names = Array.from({ length: columns }, (_, column) => `c${column}`);
  const constraints = { minimum: 0, maximum: size - 1, required: true };
  const schema = parseSchema({ fields: names.map((name) => ({ name, type: "integer", constraints })) });
  const lines = Array.from({ length: rows }, (_, row) =>
    names.map((_, column) => (row * 7919 + column * ((row >> 3) % 3)) % size).join(),
  );
  const table = parseCsv(`${names.join()}\n${lines.join("\n")}\n`, schema);
  const planned = plan(schema, { epsilon: 1, ...options });
  const start = performance.now();
  const release = await measure(table, planned, { rows: SEARCHED, seed: 1, unsafeNoiseKey: noiseKey(1) });
  const between = performance.now();
  await resample(release);
  return {
    measured: (between - start) / 1000,
    searched: (performance.now() - between) / 1000,
    cells: planned.measured.length * size * size,
  };
}
