import fc from "fast-check";
import type { Attribute } from "../src/domain/attribute.js";
import { SEARCH_RUNNING } from "../src/engine/layout.js";
import { cellsOf, type Query } from "../src/queries/query.js";
import { instance } from "./engine.js";
import { placeSearch } from "./place-search.js";
import { attribute, columnsOf, halfSpacesAmong, integers, named, queryAmong, rangesAmong } from "./random-tables.js";
import type { Problem } from "./reference/residuals.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** A search in the engine. Opening the next one ends it. */
export function openSearch(problem: Problem) {
  exports.rewind(bottom);
  const { search, columns, bytes } = placeSearch(engine, problem);
  return {
    search,
    exports,
    /** The bytes that the search itself took. */
    bytes,
    loss: () => exports.searchLoss(search),
    codes() {
      exports.searchEnd(search);
      return columns.map((pointer) => engine.u16(pointer, problem.codes[0].length).slice());
    },
  };
}

/** Runs slices of the given sizes, repeatedly, until one says that it is done. Returns its result. */
export function runSlices(slice: (steps: number) => number, sizes: readonly number[]): number {
  for (let turn = 0; ; turn++) {
    const status = slice(sizes[turn % sizes.length]);
    if (status !== SEARCH_RUNNING) return status;
  }
}

/**
 * Small searches: up to four columns, two of them trees, and up to five workloads (possibly repeated) of order one to
 * three, some of them boxes or half-spaces.
 */
export const problems: fc.Arbitrary<Problem> = fc
  .array(attribute(9), { minLength: 1, maxLength: 4 })
  .filter((attributes) => attributes.filter(({ tree }) => tree).length < 3)
  .chain((attributes) => problemsOn(attributes));

/** Small searches whose queries are all tables of the codes that rows have. */
export const tableProblems: fc.Arbitrary<Problem> = fc
  .array(attribute(9), { minLength: 1, maxLength: 5 })
  .filter((attributes) => attributes.filter(({ tree }) => tree).length < 3)
  .chain((attributes) => tableProblemsOn(attributes.map(({ fine: _, ...cells }) => cells)));

/** The same on the given columns. */
export function tableProblemsOn(columns: readonly Attribute[]): fc.Arbitrary<Problem> {
  const attributes = named(columns);
  return problemsWith(attributes, queryAmong(attributes, 3));
}

const NO_TABLES = ["ranges", "random-half-spaces"];

/** Small searches on the given columns. */
export function problemsOn(columns: readonly Attribute[]): fc.Arbitrary<Problem> {
  const attributes = named(columns);
  return problemsWith(
    attributes,
    fc.oneof(
      { weight: 3, arbitrary: queryAmong(attributes, 3) },
      { weight: 1, arbitrary: rangesAmong(attributes, 3) },
      { weight: 1, arbitrary: halfSpacesAmong(attributes, 40) },
    ),
  );
}

function problemsWith(attributes: readonly Attribute[], query: fc.Arbitrary<Query>): fc.Arbitrary<Problem> {
  return fc
    .record({
      queries: fc.array(query, { minLength: 1, maxLength: 5 }),
      codes: fc.integer({ min: 1, max: 7 }).chain((rows) => columnsOf(attributes, rows)),
      shift: fc.constantFrom(0, 4, 8),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    })
    .map(({ queries, codes, shift: asked, seed }) => {
      // Residuals that are no tables' are in units of at least half a row.
      const shift = queries.some(({ kind }) => NO_TABLES.includes(kind)) ? Math.max(1, asked) : asked;
      const bound = codes[0].length * 2 ** shift;
      const targets = queries.map((query, index) => integers(cellsOf(query, attributes), bound, seed + index));
      return { attributes, queries, targets, codes, shift, seed };
    });
}
