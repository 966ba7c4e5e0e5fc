// Searches against 10,000 random half-spaces: how long a candidate for a categorical cell takes where these are over
// categorical columns, and one look at all values of a numeric cell where they are over numeric ones. In the first, the
// score of one change alone, which looks at a row anew. One engine, one thread.
import type { Attribute } from "../src/domain/attribute.js";
import { cellsOf } from "../src/queries/query.js";
import { workloadQueries } from "../src/queries/workload.js";
import { Engine } from "../test/engine.js";
import { placeSearch } from "../test/place-search.js";
import { best, type Report } from "./bench.js";
import { categories, tree, uniformCodes, uniformIntegers } from "./kernels/kernel.js";

const HALF_SPACES = 10_000;
const ROWS = 100;
const SHIFT = 4;
const SIZES = [2, 3, 4, 6, 10, 16, 24];
const NUMBERS = 4;
const VALUES = 32_768;

export default async function search(report: Report): Promise<void> {
  const categorical = opened(SIZES.map((size) => ({ ...categories(size), name: `of ${size}` })));
  const { seconds, candidates } = await swept(categorical);
  report({ metric: "half_space_candidate_us", value: (1e6 * seconds) / candidates, target: 6 });
  const { exports, search } = categorical;
  const single = await best(3, () => {
    for (let row = 0; row < ROWS; row++) exports.searchDelta(search, row, 1, 0);
  });
  report({ metric: "half_space_single_us", value: (1e6 * single) / ROWS });
  const numeric = opened(
    Array.from({ length: NUMBERS }, (_, at) => ({ ...tree, name: `number ${at}`, ordered: true, fine: VALUES })),
  );
  const cells = ROWS * NUMBERS;
  report({ metric: "half_space_cell_us", value: (1e6 * (await swept(numeric)).seconds) / cells, target: 100 });
}

/** A search over these columns, with random rows and targets. */
function opened(attributes: readonly Attribute[]) {
  const columns = attributes.map(({ name }) => name);
  const entry = { query: "random-half-spaces", columns, count: HALF_SPACES, seed: 1 } as const;
  const queries = workloadQueries([entry], { attributes, fields: [] });
  const codes = attributes.map(({ size, fine }, column) => uniformCodes(ROWS, fine ?? size, column));
  const targets = queries.map((query) => uniformIntegers(cellsOf(query, attributes), ROWS, 1));
  const engine = new Engine();
  const { search } = placeSearch(engine, { attributes, queries, targets, codes, shift: SHIFT, seed: 1 });
  return { exports: engine.exports, search };
}

/** The seconds of a sweep, at best, and the candidates that it scores. */
async function swept({ exports, search }: ReturnType<typeof opened>) {
  const descent = exports.descentOpen(search, -1, 2 ** 32 - 1);
  const before = exports.searchCandidates(search);
  exports.descend(descent, ROWS);
  const candidates = exports.searchCandidates(search) - before;
  return { candidates, seconds: await best(3, () => exports.descend(descent, ROWS)) };
}
