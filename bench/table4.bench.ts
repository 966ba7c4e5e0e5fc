// Table 4 of the Private-GSD paper: the search of the paper, with candidates that change more than one cell. Mobility,
// all 2-way marginals of categories, ε = 1, 1000 rows, 50 mutations and 50 crossovers a generation. The package's own
// search changes one cell, so the generations are made here, from its one-cell moves. The paper does not say what its
// "average error" is; this takes the loss that the search lowers, Σ (target − count)² in rows.
import { join } from "node:path";
import { measure, plan } from "../src/node.js";
import { Engine } from "../test/engine.js";
import { placeSearch } from "../test/place-search.js";
import { uniforms } from "../test/reference/statistics.js";
import type { Report, Setting } from "./bench.js";
import { uniformCodes } from "./kernels/kernel.js";
import { noiseKey, paperTask } from "./tables.js";

const [ROWS, MUTATIONS, CROSSOVERS, GENERATIONS, SHIFT] = [1000, 50, 50, 100_000, 8];
/** Cells that a mutation changes, and a crossover. */
const RATES = [
  [1, 1],
  [2, 1],
  [5, 1],
  [25, 1],
  [1, 25],
  [25, 25],
] as const;
/** As in table3.bench.ts. */
const RHO = 0.0554341;

export default async function table4(report: Report, { data }: Setting) {
  if (!data) return console.log("table4 skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = paperTask(join(data, "acs"), "MOB");
  const { attributes } = schema;
  // They are the first columns of the schema.
  const categories = attributes.filter(({ tree }) => !tree);
  const workload = categories.flatMap((one, at) => categories.slice(at + 1).map((other) => [one.name, other.name]));
  const asked = { workload, rho: RHO, neighbours: "replace", publicRows: table.length, estimate: "raw" } as const;
  const { measurements } = await measure(table, plan(schema, asked), { unsafeNoiseKey: noiseKey(1) });
  const queries = measurements.map(({ query }) => query);
  const unit = (ROWS / table.length) * 2 ** SHIFT;
  const targets = measurements.map(({ answers }) => answers.map((answer) => Math.round(Math.max(0, answer) * unit)));
  const losses = RATES.map(([mutated, crossed]) => {
    const engine = new Engine();
    const codes = attributes.map(({ size }, column) => uniformCodes(ROWS, size, column));
    const { search } = placeSearch(engine, { attributes, queries, targets, codes, shift: SHIFT, seed: 1 });
    const sizes = categories.map(({ size }) => size);
    const seconds = evolve(engine, search, codes, sizes, [mutated, crossed]);
    const loss = Number(engine.exports.searchLoss(search)) / 4 ** SHIFT;
    const rates = `${mutated} mutated, ${crossed} crossed`;
    report({ metric: `${rates}: loss`, value: loss, better: "lower" });
    report({ metric: `${rates}: seconds`, value: seconds });
    return loss;
  });
  const [one, two, , manyMutated, manyCrossed, many] = losses;
  const best = Math.min(one, two);
  report({ metric: "least loss / that of rates 1 and 2", value: Math.min(...losses) / best, target: 1 });
  report({ metric: "loss of 25 of both / least", value: many / best, target: 1.5, better: "higher" });
  // Where only one of the operators changes 25 cells, the other one still finds nearly all there is to gain.
  for (const [name, loss] of Object.entries({ "25 mutated": manyMutated, "25 crossed": manyCrossed }))
    report({ metric: `loss of ${name} / least`, value: loss / best, better: "higher" });
}

/** Runs the generations. @param codes the rows, kept up to date @returns how long it took */
function evolve(
  { exports }: Engine,
  search: number,
  codes: readonly Uint16Array[],
  sizes: readonly number[],
  [mutated, crossed]: readonly [number, number],
): number {
  const uniform = uniforms(1);
  const below = (bound: number) => Math.floor(uniform() * bound);
  const move = (row: number, column: number, value: number) => {
    exports.searchMove(search, row, column, value);
    codes[column][row] = value;
  };
  const start = performance.now();
  for (let generation = 0; generation < GENERATIONS; generation++) {
    let best = 0n;
    let chosen: readonly (readonly [number, number, number])[] = [];
    for (let candidate = 0; candidate < MUTATIONS + CROSSOVERS; candidate++) {
      const isMutation = candidate < MUTATIONS;
      const column = below(sizes.length);
      const cells = Array.from({ length: isMutation ? mutated : crossed }, () => {
        const value = isMutation ? below(sizes[column]) : codes[column][below(ROWS)];
        return [below(ROWS), column, value] as const;
      });
      const change = lossChange(cells);
      if (change >= best) continue;
      best = change;
      chosen = cells;
    }
    for (const cell of chosen) move(...cell);
  }
  return (performance.now() - start) / 1000;

  function lossChange(cells: readonly (readonly [number, number, number])[]): bigint {
    if (cells.length === 1) return exports.searchDelta(search, ...cells[0]);
    const before = exports.searchLoss(search);
    const undo = cells.map(([row, column, value]) => {
      const old = [row, column, codes[column][row]] as const;
      move(row, column, value);
      return old;
    });
    const change = exports.searchLoss(search) - before;
    for (const cell of undo.reverse()) move(...cell);
    return change;
  }
}
