import type { Attribute } from "../src/domain/attribute.js";
import type { SearchInput } from "../src/projection/genetic.js";
import { IN_BATCHES } from "../src/projection/settings.js";
import { cellsOf, type Query, queryOf } from "../src/queries/query.js";
import { integers } from "./random-tables.js";

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
