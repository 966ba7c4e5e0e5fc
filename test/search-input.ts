import fc from "fast-check";
import type { Attribute } from "../src/domain/attribute.js";
import type { SearchInput } from "../src/projection/genetic.js";
import { IN_BATCHES, PAPER } from "../src/projection/settings.js";
import { cellsOf, type Query, queryOf } from "../src/queries/query.js";
import { attribute, integers, named, queryAmong } from "./random-tables.js";

const SETTINGS = { ...IN_BATCHES, tolerance: 0 } as typeof IN_BATCHES;

/** A search in batches for random targets. */
export function inputOf(
  attributes: readonly Attribute[],
  queries: readonly Query[],
  rows: number,
  seed: number,
): SearchInput {
  const targets = queries.map((query, at) => ({
    query,
    answers: Float64Array.from(integers(cellsOf(query, attributes), 20, seed + at), Math.abs),
  }));
  const start = attributes.map(({ size }, column) => ({ column, weights: new Float64Array(size) }));
  return { attributes, targets, total: 60, rows, seed, settings: SETTINGS, start };
}

/** The same on random columns of codes, with up to five tables. */
export const inputsOf = (rows: number): fc.Arbitrary<SearchInput> =>
  fc
    .array(attribute(9), { minLength: 1, maxLength: 4 })
    .filter((attributes) => attributes.filter(({ tree }) => tree).length < 3)
    .map((attributes) => named(attributes.map(({ fine: _, ...cells }) => cells)))
    .chain((attributes) =>
      fc
        .tuple(fc.array(queryAmong(attributes, 3), { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 999 }))
        .map(([queries, seed]) => inputOf(attributes, queries, rows, seed)),
    );

/** The same input for the genetic search; with a negative tolerance, it never settles. */
export const genetic = (input: SearchInput, generations: number, tolerance = PAPER.tolerance): SearchInput => ({
  ...input,
  settings: { ...PAPER, mutations: 5, crossovers: 5, elites: 3, generations, tolerance } as typeof PAPER,
});

export const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 33, tree: true, missing: true },
  { name: "job", size: 7, tree: false, missing: false },
];
export const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
].map((columns) => queryOf(columns, ATTRIBUTES));
