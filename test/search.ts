import fc from "fast-check";
import { SEARCH_RUNNING } from "../src/engine/layout.js";
import { cellsOf } from "../src/queries/query.js";
import { writeQuery } from "../src/queries/struct.js";
import type { Attribute } from "../src/schema/schema.js";
import { instance } from "./engine.js";
import { attribute, columnsOf, integers, queryAmong } from "./random-tables.js";
import type { Problem } from "./reference/residuals.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** A search in the engine. Opening the next one ends it. */
export function openSearch({ attributes, queries, targets, codes, shift, seed }: Problem) {
  exports.rewind(bottom);
  const structs = engine.place(Uint32Array.from(queries, (query) => writeQuery(engine, query, attributes)));
  const before = exports.mark();
  const search = exports.searchOpen(structs, queries.length, attributes.length, codes[0].length, shift, seed);
  const bytes = exports.mark() - before;
  const columns = [...engine.u32(exports.searchColumns(search), attributes.length)];
  for (const [column, cells] of codes.entries()) engine.u16(columns[column], cells.length).set(cells);
  for (const [index, query] of queries.entries())
    exports.searchTarget(search, index, engine.place(targets[index]), engine.alloc(4 * cellsOf(query, attributes)));
  exports.searchBegin(search);
  return {
    search,
    exports,
    /** The bytes that the search itself took. */
    bytes,
    loss: () => exports.searchLoss(search),
    codes() {
      exports.searchEnd(search);
      return columns.map((pointer) => engine.u16(pointer, codes[0].length).slice());
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
 * three.
 */
export const problems: fc.Arbitrary<Problem> = fc
  .array(attribute(9), { minLength: 1, maxLength: 4 })
  .filter((attributes) => attributes.filter(({ tree }) => tree).length < 3)
  .chain((attributes) => problemsOn(attributes));

/** Small searches on the given columns. */
export function problemsOn(attributes: Attribute[]): fc.Arbitrary<Problem> {
  return fc
    .record({
      queries: fc.array(queryAmong(attributes, 3), { minLength: 1, maxLength: 5 }),
      codes: fc.integer({ min: 1, max: 7 }).chain((rows) => columnsOf(attributes, rows)),
      shift: fc.constantFrom(0, 4, 8),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    })
    .map(({ queries, codes, shift, seed }) => {
      const bound = codes[0].length * 2 ** shift;
      const targets = queries.map((query, index) => integers(cellsOf(query, attributes), bound, seed + index));
      return { attributes, queries, targets, codes, shift, seed };
    });
}
