import fc from "fast-check";
import type { Attribute } from "../src/domain/attribute.js";
import { type Query, queryOf } from "../src/queries/query.js";

/** A column of 1 … `most` categories, or a tree, with or without missing. */
export const attribute = (most: number): fc.Arbitrary<Attribute> =>
  fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc.integer({ min: 1, max: most }).map((size) => ({ size, tree: false, missing: false })),
      },
      { weight: 1, arbitrary: fc.boolean().map((missing) => ({ size: 32 + +missing, tree: true, missing })) },
    )
    .map((facts) => ({ name: "column", ...facts }));

/** Columns of uniform codes, one per attribute. */
export function columnsOf(attributes: readonly Attribute[], rows: number): fc.Arbitrary<Uint16Array[]> {
  return fc.tuple(
    ...attributes.map(({ size }) =>
      fc
        .array(fc.integer({ min: 0, max: size - 1 }), { minLength: rows, maxLength: rows })
        .map((codes) => Uint16Array.from(codes)),
    ),
  );
}

/** A set of up to `order` of the columns, as a query. */
export function queryAmong(attributes: readonly Attribute[], order: number): fc.Arbitrary<Query> {
  return fc
    .subarray([...attributes.keys()], { minLength: 1, maxLength: Math.min(order, attributes.length) })
    .map((columns) => queryOf(columns, attributes));
}

/**
 * Integers of magnitude up to `bound`, for arrays too long to draw element by element (a linear congruential
 * generator).
 */
export function integers(length: number, bound: number, seed: number): Int32Array {
  let state = seed >>> 0;
  return Int32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * bound);
  });
}
