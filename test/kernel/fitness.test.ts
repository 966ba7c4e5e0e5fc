import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codesOf } from "../../src/domain/attribute.js";
import { queryOf } from "../../src/queries/query.js";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { placeSearch, tablesOf } from "../place-search.js";
import { named } from "../random-tables.js";
import { type Candidate, fitness } from "../reference/fitness.js";
import { type Problem, usedColumns } from "../reference/residuals.js";
import { problems, tableProblems } from "../search.js";

/** All one-cell changes, and those that change nothing. */
const allOf = ({ attributes, queries, codes }: Problem): Candidate[] =>
  usedColumns(queries).flatMap((column) =>
    [...codes[0].keys()].flatMap((row) =>
      Array.from({ length: codesOf(attributes[column]) }, (_, value) => [row, column, value] as const),
    ),
  );

function scores(problem: Problem, candidates: readonly Candidate[]): BigInt64Array {
  const engine = instance();
  const { search } = placeSearch(engine, problem);
  const out = engine.place(new BigInt64Array(candidates.length + 1).fill(7n));
  engine.exports.scoreCandidates(search, engine.place(Uint32Array.from(candidates.flat())), candidates.length, out);
  expect(engine.i64(out, candidates.length + 1).at(-1)).toBe(7n);
  return engine.i64(out, candidates.length).slice();
}

it("scores each candidate by the change in loss that it would make", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const candidates = allOf(problem);
      expect([...scores(problem, candidates)]).toEqual(fitness(problem, candidates));
    }),
    { seed: 1, numRuns: 60 },
  );
});

/** Residuals as large as units allow, whose differences do not fit 32 bits. */
const LARGE: Problem = (() => {
  const attributes = named([3, 2].map((size) => ({ name: "", size, tree: false, missing: false })));
  const most = 3 * 2 ** 28;
  const targets = [Int32Array.of(-most, most, most, -most, most, -most)];
  const codes = [Uint16Array.of(0, 0, 2), Uint16Array.of(0, 1, 0)];
  return { attributes, queries: [queryOf([0, 1], attributes)], targets, codes, shift: 28, seed: 0 };
})();

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  const onGpu = async (problem: Problem, candidates: readonly Candidate[]) => {
    const { map, residuals, codes } = tablesOf(problem);
    const search = await (await open()).openSearch(map, residuals, codes);
    const changes = await search.score(Uint32Array.from(candidates.flat()));
    await search.close();
    return changes;
  };

  it("gives the same scores", async ({ skip }) => {
    if (missing) skip(missing);
    for (const problem of [...fc.sample(tableProblems, { seed: 2, numRuns: 40 }), LARGE]) {
      const candidates = allOf(problem);
      expect(await onGpu(problem, candidates)).toEqual(scores(problem, candidates));
    }
  });

  it("scores as many candidates as a generation can have", async ({ skip }) => {
    if (missing) skip(missing);
    const all = allOf(LARGE);
    const candidates = Array.from({ length: 200_000 }, (_, at) => all[at % all.length]);
    const expected = scores(LARGE, all);
    const found = await onGpu(LARGE, candidates);
    expect(found.length).toBe(candidates.length);
    expect(found.every((change, at) => change === expected[at % all.length])).toBe(true);
  });
});
