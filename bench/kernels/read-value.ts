import { CANONICAL_BYTES } from "../../src/engine/layout.js";
import { canonicalOf, valueIn } from "../../test/reference/read-value.js";
import { COLUMNS, type Kernel, placeCells } from "./kernel.js";

const ORACLE = 200;

export default {
  element: "cell",
  elements: COLUMNS.reduce((cells, { texts }) => cells + texts.length, 0),
  open(engine) {
    const columns = COLUMNS.map((column) => placeCells(engine, column));
    const out = engine.alloc(CANONICAL_BYTES);
    return () => {
      for (const { notation, places } of columns)
        for (const [from, to] of places) engine.exports.readCanonical(notation, from, to, out);
    };
  },
  oracle: {
    elements: COLUMNS.length * ORACLE,
    run: () =>
      COLUMNS.map(({ given, texts }) => texts.slice(0, ORACLE).map((text) => canonicalOf(valueIn(given, text)!))),
  },
} satisfies Kernel;
