import { openSearch } from "../../src/gpu/neighbourhoods.js";
import { placeSearch, tablesOf } from "../../test/place-search.js";
import { type Candidate, fitness } from "../../test/reference/fitness.js";
import type { Problem } from "../../test/reference/residuals.js";
import { uniforms } from "../../test/reference/statistics.js";
import { type Kernel, PROBLEM, WIDE } from "./kernel.js";

/** As many as the largest generation has. */
const MANY = 200_000;
const IN_ENGINE = 1 << 14;

/** Uniform changes of one cell. */
function candidates({ attributes, codes }: Problem, count: number): Candidate[] {
  const uniform = uniforms(1);
  const below = (bound: number) => Math.floor(uniform() * bound);
  return Array.from({ length: count }, () => {
    const column = below(attributes.length);
    return [below(codes[0].length), column, below(attributes[column].size)];
  });
}

/** How many residuals are read to score so many changes in a search over all pairs. */
const reads = ({ attributes }: Problem, count: number): number => 2 * (attributes.length - 1) * count;

const FEW = candidates(PROBLEM, 1 << 6);

export default {
  element: "residual read",
  elements: reads(WIDE, IN_ENGINE),
  open(engine) {
    const { search } = placeSearch(engine, WIDE);
    const from = engine.place(Uint32Array.from(candidates(WIDE, IN_ENGINE).flat()));
    const out = engine.alloc(8 * IN_ENGINE);
    return () => engine.exports.scoreCandidates(search, from, IN_ENGINE, out);
  },
  onGpu: {
    elements: reads(WIDE, MANY),
    // Generations: as many as there are rows.
    times: 1000,
    async open(device) {
      const search = await openSearch(device, tablesOf(WIDE));
      const from = Uint32Array.from(candidates(WIDE, MANY).flat());
      return () => search.score(from);
    },
  },
  oracle: { elements: reads(PROBLEM, FEW.length), run: () => fitness(PROBLEM, FEW) },
} satisfies Kernel;
