import { EXAMPLES_AT_ONCE } from "../../src/engine/layout.js";
import { placeExamples } from "../../test/place-examples.js";
import { type Examples, gradient } from "../../test/reference/logistic.js";
import { uniforms } from "../../test/reference/statistics.js";
import { type Kernel, uniformCodes } from "./kernel.js";

const ROWS = 1 << 14;
const SIZES = [2, 2, 5, 9, 16, 24, 2, 2, 3, 10, 4, 5, 2, 2, 2, 6];
/** Columns of numbers. */
const NUMBERS = 4;
const FEATURES = SIZES.reduce((a, b) => a + b, 1) + NUMBERS;

function examplesOf(rows: number): Examples {
  const uniform = uniforms(1);
  let first = 1;
  const columns = [...SIZES, ...new Array<number>(NUMBERS).fill(1)].map((size, at) => {
    const column = { first, codes: uniformCodes(rows, size, at) };
    first += size;
    return at < SIZES.length ? column : { ...column, values: Float64Array.from({ length: rows }, uniform) };
  });
  return { columns, target: [...uniformCodes(rows, 2, 99)] };
}

const WEIGHTS = Float64Array.from({ length: FEATURES }, (_, at) => Math.sin(at));
const FEW = examplesOf(1 << 9);

export default {
  element: "feature of a row",
  elements: ROWS * (SIZES.length + NUMBERS),
  open(engine) {
    const struct = placeExamples(engine, examplesOf(ROWS), 2);
    const [slots, weights] = engine.placeAll([Uint16Array.of(0, 1), WEIGHTS]);
    const [out, scratch] = engine.reserve([WEIGHTS.byteLength, 16 * EXAMPLES_AT_ONCE]);
    return () => engine.exports.logisticGradient(struct, slots, 2, 2, weights, out, scratch);
  },
  oracle: { elements: FEW.target.length * FEW.columns.length, run: () => gradient(FEW, [0, 1], 2, WEIGHTS) },
} satisfies Kernel;
