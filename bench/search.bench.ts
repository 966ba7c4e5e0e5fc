// Random prefixes in two of four numeric columns and one category: how long counting 200,000 of them takes, and, in a
// search against 10,000, one look at all values of a numeric cell and the score of one of its values. One engine, one
// thread.
import type { Attribute } from "../src/domain/attribute.js";
import { BLOCK_ROWS } from "../src/engine/layout.js";
import { cellsOf } from "../src/queries/query.js";
import { RowBlocks } from "../src/queries/row-blocks.js";
import { writeQuery } from "../src/queries/struct.js";
import { workloadQueries } from "../src/queries/workload.js";
import { Engine } from "../test/engine.js";
import { placeSearch } from "../test/place-search.js";
import { best, type Report } from "./bench.js";
import { categories, tree, uniformCodes, uniformIntegers } from "./kernels/kernel.js";

const PREFIXES = 10_000;
const COUNTED = 200_000;
const ROWS = 500;
const COUNTED_ROWS = 32_132;
const SHIFT = 4;
const NUMBERS = 4;
const VALUES = 32_768;
const COUNTED_VALUES = 65_534;
const TIMES = 5;

export default async function search(report: Report): Promise<void> {
  await counting(report);
  const { attributes, queries, codes } = prefixes(PREFIXES, ROWS, VALUES);
  const targets = queries.map((query) => uniformIntegers(cellsOf(query, attributes), ROWS, 1));
  const engine = new Engine();
  const { exports } = engine;
  const bottom = exports.mark();
  let search = 0;
  let candidates = 0;
  let seconds = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time++) {
    exports.rewind(bottom);
    search = placeSearch(engine, { attributes, queries, targets, codes, shift: SHIFT, seed: 1 }).search;
    const descent = exports.descentOpen(search, -1, 2 ** 32 - 1);
    const start = performance.now();
    exports.descend(descent, ROWS);
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
    candidates = exports.searchCandidates(search);
  }
  // A row has one categorical cell, which takes as long as a numeric one.
  report({ metric: "prefix_cell_us", value: (1e6 * seconds) / (ROWS * attributes.length), target: 100 });
  report({ metric: "prefix_candidate_us", value: (1e6 * seconds) / candidates, target: 1 });
  const single = await best(3, () => {
    for (let row = 0; row < ROWS; row++) exports.searchDelta(search, row, 1, 0);
  });
  report({ metric: "prefix_single_us", value: (1e6 * single) / ROWS });
}

/** So many prefixes, and rows. */
function prefixes(count: number, rows: number, values: number) {
  const numbers = Array.from(
    { length: NUMBERS },
    (_, at): Attribute => ({ ...tree, name: `number ${at}`, ordered: true, fine: values }),
  );
  const attributes = [{ ...categories(5), name: "category" }, ...numbers];
  const columns = attributes.map(({ name }) => name);
  const queries = workloadQueries([{ query: "random-prefixes", columns, count, seed: 1 }], { attributes, fields: [] });
  const codes = attributes.map(({ size, fine }, column) => uniformCodes(rows, fine ?? size, column));
  return { attributes, queries, codes };
}

/** Counts rows in many prefixes, and in one, block by block. */
async function counting(report: Report): Promise<void> {
  const many = await countingSeconds(COUNTED);
  report({ metric: "prefix_counts_s", value: many, target: 0.32 });
  const rate = (COUNTED * COUNTED_ROWS) / many / 1e9;
  report({ metric: "prefix_counts_G_per_s", value: rate, target: 20, better: "higher" });
  report({ metric: "prefix_count_us", value: 1e6 * (await countingSeconds(1)) });
}

async function countingSeconds(count: number): Promise<number> {
  const { attributes, queries, codes } = prefixes(count, COUNTED_ROWS, COUNTED_VALUES);
  const engine = new Engine();
  const blocks = new RowBlocks(engine, attributes);
  for (let first = 0; first < COUNTED_ROWS; first += BLOCK_ROWS)
    blocks.append(codes.map((column) => column.subarray(first, first + BLOCK_ROWS)));
  const struct = writeQuery(engine, queries[0], attributes);
  const placed = blocks.place();
  const counts = engine.alloc(4 * cellsOf(queries[0], attributes));
  return best(TIMES, () => engine.exports.answerBlocks(struct, placed, blocks.blocks.length, counts));
}
