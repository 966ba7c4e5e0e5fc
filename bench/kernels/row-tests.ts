import { placeLinked } from "../../src/constraints/struct.js";
import { placeRows } from "../../test/linked.js";
import { broken } from "../../test/reference/row-tests.js";
import { type Kernel, LINKED, LINKED_PROBLEM, linkedRows } from "./kernel.js";

const { rows: ROWS } = linkedRows(1 << 16);
const FEW = ROWS.slice(0, 1 << 10);

export default {
  element: "row",
  elements: ROWS.length,
  open(engine) {
    const linked = placeLinked(engine, LINKED, placeRows(engine, LINKED, ROWS));
    return () => [0, 1, 2].map((index) => engine.exports.countBroken(linked, index, ROWS.length));
  },
  oracle: { elements: FEW.length, run: () => FEW.map((row) => broken(LINKED_PROBLEM, row)) },
} satisfies Kernel;
