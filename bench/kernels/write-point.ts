import { textOf } from "../../test/reference/write-point.js";
import { COLUMNS, type Kernel, placeCells } from "./kernel.js";

const ORACLE = 200;
const POINTS = 4000;

/** Points all over a grid. */
const pointsOf = (points: number, count: number) =>
  Float64Array.from({ length: count }, (_, at) => Math.floor((at / count) * points));

export default {
  element: "cell",
  elements: COLUMNS.length * POINTS,
  open(engine) {
    const columns = COLUMNS.map((column) => {
      const { notation } = placeCells(engine, column);
      const out = engine.alloc(engine.exports.pointBytes(notation));
      return { notation, out, points: pointsOf(column.grid.points, POINTS) };
    });
    return () => {
      for (const { notation, out, points } of columns)
        for (const point of points) engine.exports.writePoint(notation, point, out);
    };
  },
  oracle: {
    elements: COLUMNS.length * ORACLE,
    run: () =>
      COLUMNS.map(({ given, grid }) => [...pointsOf(grid.points, ORACLE)].map((point) => textOf(given, grid, point))),
  },
} satisfies Kernel;
