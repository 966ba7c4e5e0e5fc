import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { queryOf } from "../../src/queries/query.js";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { placeSearch, tablesOf } from "../place-search.js";
import { integers, named } from "../random-tables.js";
import { moves } from "../reference/neighbourhood.js";
import { type Problem, usedColumns } from "../reference/residuals.js";
import { problems, tableProblems, tableProblemsOn } from "../search.js";

/** The cells that the engine finds in all rows, last row first. */
function found(problem: Problem) {
  const engine = instance();
  const { search } = placeSearch(engine, problem);
  const rows = [...problem.codes[0].keys()].reverse();
  const words = rows.length * Math.ceil(usedColumns(problem.queries).length / 32);
  const out = engine.place(new Uint32Array(words + 1).fill(7));
  engine.exports.findMoves(search, engine.place(Uint32Array.from(rows)), rows.length, out);
  expect(engine.u32(out, words + 1).at(-1)).toBe(7);
  return { rows, bits: [...engine.u32(out, words)] };
}

it("finds the cells that some code improves", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const { rows, bits } = found(problem);
      expect(bits).toEqual(moves(problem, problem.codes, rows));
    }),
    { seed: 1, numRuns: 100 },
  );
});

it.each([31, 32, 33, 65])("has as many words as %i columns need", (width) => {
  const column: Attribute = { name: "column", size: 2, tree: false, missing: false };
  const attributes = named(Array.from({ length: width }, () => column));
  const queries = attributes.map((_, at) => queryOf([at], attributes));
  const targets = queries.map((_, at) => integers(2, 48, at));
  const codes = attributes.map((_, at) => Uint16Array.from(integers(3, 9, 100 + at), (value) => value & 1));
  const problem: Problem = { attributes, queries, targets, codes, shift: 4, seed: 0 };
  const { rows, bits } = found(problem);
  expect(bits).toEqual(moves(problem, codes, rows));
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  const onGpu = async (problem: Problem) => {
    const gpu = await open();
    const { map, residuals, codes } = tablesOf(problem);
    const search = await gpu.openSearch(map, residuals, codes);
    const rows = Uint32Array.from(problem.codes[0].keys()).reverse();
    const bits = await search.findMoves(rows);
    await search.close();
    return bits;
  };

  it("finds the same cells", async ({ skip }) => {
    if (missing) skip(missing);
    for (const problem of fc.sample(tableProblems, { seed: 2, numRuns: 40 }))
      expect([...(await onGpu(problem))]).toEqual(found(problem).bits);
  });

  it.each([1, 2, 63, 64, 65, 200])("looks at all codes of columns of %i", async (size) => {
    if (missing) return;
    const attributes = named([size, 3].map((codes) => ({ name: "", size: codes, tree: false, missing: false })));
    for (const problem of fc.sample(tableProblemsOn(attributes), { seed: size, numRuns: 5 }))
      expect([...(await onGpu(problem))]).toEqual(found(problem).bits);
  });

  it("adds up more tables than it looks up together", async ({ skip }) => {
    if (missing) skip(missing);
    const problem = manyTables();
    expect([...(await onGpu(problem))]).toEqual(found(problem).bits);
  });
});

/** A search over one column of 70 codes with 600 tables of it. */
function manyTables(): Problem {
  const attributes = named([{ name: "", size: 70, tree: false, missing: false }]);
  const queries = Array.from({ length: 600 }, () => queryOf([0], attributes));
  const targets = queries.map((_, at) => integers(70, 64, at));
  return { attributes, queries, targets, codes: [Uint16Array.of(3, 69, 0, 64)], shift: 4, seed: 0 };
}
