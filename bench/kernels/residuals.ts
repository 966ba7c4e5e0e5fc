import { placeSearch } from "../../test/place-search.js";
import { changed, lossOf } from "../../test/reference/residuals.js";
import { uniforms } from "../../test/reference/statistics.js";
import { type Kernel, PROBLEM } from "./kernel.js";

const uniform = uniforms(1);
const below = (bound: number) => Math.floor(uniform() * bound);
const CHANGES = Array.from({ length: 1 << 15 }, () => {
  const column = below(PROBLEM.attributes.length);
  return [below(PROBLEM.codes[0].length), column, below(PROBLEM.attributes[column].size)] as const;
});
const FEW = CHANGES.slice(0, 1 << 6);

export default {
  element: "change of a cell, scored and made",
  elements: CHANGES.length,
  open(engine) {
    const { search } = placeSearch(engine, PROBLEM);
    return () => {
      for (const change of CHANGES) engine.exports.searchMove(search, ...change);
    };
  },
  oracle: {
    elements: FEW.length,
    run() {
      let { codes } = PROBLEM;
      let loss = 0n;
      for (const change of FEW) {
        codes = changed(codes, ...change);
        loss = lossOf(PROBLEM, codes);
      }
      return loss;
    },
  },
} satisfies Kernel;
