import { placeSearch } from "../../test/place-search.js";
import { moves } from "../../test/reference/neighbourhood.js";
import { type Kernel, PROBLEM, repeated } from "./kernel.js";

const { attributes, codes } = PROBLEM;
const ROWS = [...codes[0].keys()];
const TIMES = 500;

export default {
  element: "cell looked at",
  elements: TIMES * ROWS.length * attributes.length,
  open(engine) {
    const { search } = placeSearch(engine, PROBLEM);
    const rows = engine.place(Uint32Array.from(ROWS));
    const out = engine.alloc(4 * ROWS.length);
    return repeated(TIMES, () => engine.exports.findMoves(search, rows, ROWS.length, out));
  },
  oracle: { elements: ROWS.length * attributes.length, run: () => moves(PROBLEM, codes, ROWS) },
} satisfies Kernel;
