import { placeLinked } from "../../src/constraints/struct.js";
import { placeRows } from "../../test/linked.js";
import { word } from "../../test/reference/philox.js";
import { repaired } from "../../test/reference/repair.js";
import { accepted, type Kernel, LINKED, LINKED_PROBLEM, linkedRows } from "./kernel.js";

const { rows: ROWS, codes: CODES } = linkedRows(1 << 12);
const FEW = 1 << 6;
const WITNESS = LINKED.witness;
const words = (row: number, column: number) => word(1, 0, column, row);

export default {
  element: "row",
  elements: ROWS.length,
  open(engine) {
    return () =>
      engine.scratch(() => {
        const linked = placeLinked(engine, LINKED, placeRows(engine, LINKED, ROWS, CODES), 1);
        accepted(engine.exports.repairRows(linked, ROWS.length));
      });
  },
  oracle: {
    elements: FEW,
    run: () =>
      repaired(LINKED_PROBLEM, ROWS.slice(0, FEW), CODES.slice(0, FEW), [0], WITNESS, words, (row) => words(row, 1)),
  },
} satisfies Kernel;
