import { DOUBLE_BYTES, POWERS_BYTES } from "../../src/engine/layout.js";
import { plainText } from "../../test/reference/doubles.js";
import { uniforms } from "../../test/reference/statistics.js";
import type { Kernel } from "./kernel.js";

const uniform = uniforms(3);
/** Whole numbers, numbers of few places, and numbers with all their digits. */
const NUMBERS = Array.from({ length: 60_000 }, (_, at) => {
  const number = uniform() * 1000;
  return at % 3 ? (at % 3 === 1 ? Number(number.toFixed(2)) : number) : Math.floor(number);
});
const FEW = NUMBERS.slice(0, 3000);

export default {
  element: "number",
  elements: NUMBERS.length,
  open(engine) {
    const powers = engine.alloc(POWERS_BYTES);
    engine.exports.placePowers(powers);
    const out = engine.alloc(DOUBLE_BYTES);
    return () => {
      for (const number of NUMBERS) engine.exports.writeDouble(powers, number, 0, out);
    };
  },
  oracle: { elements: FEW.length, run: () => FEW.map((number) => plainText(number)) },
} satisfies Kernel;
