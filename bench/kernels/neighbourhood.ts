import { openSearch } from "../../src/gpu/neighbourhoods.js";
import { placeSearch, tablesOf } from "../../test/place-search.js";
import { moves } from "../../test/reference/neighbourhood.js";
import type { Problem } from "../../test/reference/residuals.js";
import { type Kernel, PROBLEM, WIDE } from "./kernel.js";

const ROWS = WIDE.codes[0].length;
const ROWS_IN_ENGINE = 1024;

/** How many residuals are read to look at so many rows of a search over all pairs. */
const reads = ({ attributes }: Problem, rows: number): number =>
  rows * (attributes.length - 1) * attributes.reduce((sum, { size }) => sum + size, 0);

const numbers = (rows: number) => Uint32Array.from({ length: rows }, (_, row) => row);
const FEW = PROBLEM.codes[0].length;

export default {
  element: "residual read",
  elements: reads(WIDE, ROWS_IN_ENGINE),
  open(engine) {
    const { search } = placeSearch(engine, WIDE);
    const rows = engine.place(numbers(ROWS_IN_ENGINE));
    const out = engine.alloc(4 * ROWS_IN_ENGINE);
    return () => engine.exports.findMoves(search, rows, ROWS_IN_ENGINE, out);
  },
  onGpu: {
    elements: reads(WIDE, ROWS),
    async open(device) {
      const search = await openSearch(device, tablesOf(WIDE));
      return () => search.findMoves(numbers(ROWS));
    },
  },
  oracle: { elements: reads(PROBLEM, FEW), run: () => moves(PROBLEM, PROBLEM.codes, [...numbers(FEW)]) },
} satisfies Kernel;
