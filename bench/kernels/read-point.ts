import { nearestPoint } from "../../test/reference/read-point.js";
import { COLUMNS, type Kernel, placeCells } from "./kernel.js";

const ORACLE = 200;

export default {
  element: "cell",
  elements: COLUMNS.reduce((cells, { texts }) => cells + texts.length, 0),
  open(engine) {
    const columns = COLUMNS.map((column) => placeCells(engine, column));
    return () => {
      for (const { notation, places } of columns)
        for (const [from, to] of places) engine.exports.readPoint(notation, from, to);
    };
  },
  oracle: {
    elements: COLUMNS.length * ORACLE,
    run: () =>
      COLUMNS.map(({ given, grid, texts }) => texts.slice(0, ORACLE).map((text) => nearestPoint(given, grid, text))),
  },
} satisfies Kernel;
