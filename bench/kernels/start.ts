import { STREAM_SHUFFLE } from "../../src/engine/layout.js";
import { startColumn } from "../../test/reference/start.js";
import { type Kernel, uniformCodes } from "./kernel.js";

/** A column's codes, and for each of them codes of another column for its rows. */
function input(rows: number) {
  const given = uniformCodes(rows, 5, 1);
  const groups = [0, 1, 2, 3, 4].map((code) => [
    ...uniformCodes(given.filter((cell) => cell === code).length, 30, code),
  ]);
  return { given, groups };
}

const ROWS = 1 << 17;
const { given: GIVEN, groups: GROUPS } = input(ROWS);
const FEW = input(1 << 11);

export default {
  element: "row",
  elements: ROWS,
  open(engine) {
    const [out, order, starts] = [2 * ROWS, 4 * ROWS, 4 * GROUPS.length].map((bytes) => engine.alloc(bytes));
    const [given, codes] = [Uint32Array.from(GIVEN), Uint16Array.from(GROUPS.flat())].map((values) =>
      engine.place(values),
    );
    const begins = GROUPS.map((_, code) => GROUPS.slice(0, code).flat().length);
    return () => {
      engine.u32(starts, begins.length).set(begins);
      engine.exports.startColumn(out, ROWS, given, codes, starts, order, 1, 0);
    };
  },
  oracle: { elements: 1 << 11, run: () => startColumn([...FEW.given], FEW.groups, 1, STREAM_SHUFFLE, 0) },
} satisfies Kernel;
