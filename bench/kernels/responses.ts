import { type Asked, bestResponse } from "../../test/reference/responses.js";
import { uniforms } from "../../test/reference/statistics.js";
import type { Kernel } from "./kernel.js";

const SIZES = [85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2];
const RECORDS = 100;
const RESTARTS = 4;
const FEW = 2;
const uniform = uniforms(1);
const draw = (bound: number) => Math.floor(uniform() * bound);
const QUERIES = Array.from({ length: 300 }, (): Asked => {
  const first = draw(12);
  const literals = [first, first + 1, first + 2].map((column) => [column, draw(SIZES[column])] as const);
  return { weight: draw(3) ? 1 : -1, literals };
});
const HOW = { restarts: RESTARTS, scale: 2, seed: 1, round: 0 };

export default {
  element: "record",
  elements: RECORDS,
  open(engine) {
    const words = Uint32Array.from(
      QUERIES.flatMap(({ weight, literals }) => [weight, literals.length, ...literals.flat()]),
    );
    const [sizes, queries] = engine.placeAll([Uint32Array.from(SIZES), words]);
    const cells = SIZES.reduce((sum, size) => sum + size, 0);
    const scratch = engine.alloc(engine.exports.responseScratch(SIZES.length, cells, 3 * QUERIES.length));
    const [out, worth] = [engine.alloc(2 * SIZES.length * RECORDS), engine.alloc(4 * RECORDS)];
    const { restarts, scale, seed, round } = HOW;
    return () =>
      engine.exports.bestResponses(
        ...([sizes, SIZES.length, queries, words.byteLength, RECORDS, restarts, scale, seed, round] as const),
        ...([scratch, out, worth] as const),
      );
  },
  oracle: {
    elements: FEW,
    run: () =>
      [...new Array(FEW).keys()].map((record) => bestResponse({ sizes: SIZES, queries: QUERIES, ...HOW }, record)),
  },
} satisfies Kernel;
