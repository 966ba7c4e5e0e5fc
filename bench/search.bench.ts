// A search against 10,000 random prefixes in two of four numeric columns and one category: how long one look at all
// values of a numeric cell takes, and the score of one of its values. One engine, one thread.
import type { Attribute } from "../src/domain/attribute.js";
import { cellsOf } from "../src/queries/query.js";
import { workloadQueries } from "../src/queries/workload.js";
import { Engine } from "../test/engine.js";
import { placeSearch } from "../test/place-search.js";
import { best, type Report } from "./bench.js";
import { categories, tree, uniformCodes, uniformIntegers } from "./kernels/kernel.js";

const PREFIXES = 10_000;
const ROWS = 500;
const SHIFT = 4;
const NUMBERS = 4;
const VALUES = 32_768;

export default async function search(report: Report): Promise<void> {
  const numbers = Array.from(
    { length: NUMBERS },
    (_, at): Attribute => ({ ...tree, name: `number ${at}`, ordered: true, fine: VALUES }),
  );
  const attributes = [{ ...categories(5), name: "category" }, ...numbers];
  const columns = attributes.map(({ name }) => name);
  const queries = workloadQueries([{ query: "random-prefixes", columns, count: PREFIXES, seed: 1 }], {
    attributes,
    fields: [],
  });
  const codes = attributes.map(({ size, fine }, column) => uniformCodes(ROWS, fine ?? size, column));
  const targets = queries.map((query) => uniformIntegers(cellsOf(query, attributes), ROWS, 1));
  const engine = new Engine();
  const { exports } = engine;
  const { search } = placeSearch(engine, { attributes, queries, targets, codes, shift: SHIFT, seed: 1 });
  const descent = exports.descentOpen(search, -1, 2 ** 32 - 1);
  const before = exports.searchCandidates(search);
  const start = performance.now();
  exports.descend(descent, ROWS);
  const seconds = (performance.now() - start) / 1000;
  const candidates = exports.searchCandidates(search) - before;
  // A row has one categorical cell, which takes as long as a numeric one.
  report({ metric: "prefix_cell_us", value: (1e6 * seconds) / (ROWS * attributes.length), target: 100 });
  report({ metric: "prefix_candidate_us", value: (1e6 * seconds) / candidates, target: 1 });
  const single = await best(3, () => {
    for (let row = 0; row < ROWS; row++) exports.searchDelta(search, row, 1, 0);
  });
  report({ metric: "prefix_single_us", value: (1e6 * single) / ROWS });
}
