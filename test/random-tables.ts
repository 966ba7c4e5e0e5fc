import fc from "fast-check";
import { type Attribute, codesOf } from "../src/domain/attribute.js";
import { type Query, queryOf } from "../src/queries/query.js";
import type { RandomHalfSpaces } from "../src/queries/random-half-spaces.js";
import type { Ranges, Side } from "../src/queries/ranges.js";

/** A column of 1 … `most` codes, or a tree, with or without missing and finer codes than leaves. */
export const attribute = (most: number): fc.Arbitrary<Attribute> =>
  fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc
          .record({ size: fc.integer({ min: 1, max: most }), ordered: fc.boolean() })
          .map(({ size, ordered }) => ({ size, tree: false, missing: ordered && size > 4, ordered })),
      },
      {
        weight: 1,
        arbitrary: fc
          .record({ missing: fc.boolean(), fine: fc.constantFrom(undefined, undefined, 32, 33, 61) })
          .map(({ missing, fine }) => ({
            size: 32 + +missing,
            tree: true,
            missing,
            ordered: true,
            ...(fine ? { fine } : {}),
          })),
      },
    )
    .map((facts) => ({ name: "column", ...facts }));

/** Gives the columns different names. */
export const named = (attributes: readonly Attribute[]): Attribute[] =>
  attributes.map((attribute, at) => ({ ...attribute, name: `column ${at}` }));

/** Columns of uniform codes, one per attribute. */
export function columnsOf(attributes: readonly Attribute[], rows: number): fc.Arbitrary<Uint16Array[]> {
  return fc.tuple(
    ...attributes.map((attribute) =>
      fc
        .array(fc.integer({ min: 0, max: codesOf(attribute) - 1 }), { minLength: rows, maxLength: rows })
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

/** Thresholds, often at or next to the first code of a leaf. */
const threshold = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 }),
  fc.tuple(fc.integer({ min: 0, max: 32 }), fc.constantFrom(-1, 0, 1)).map(([leaf, by]) => leaf * 2 ** 27 + by),
);

const range = fc
  .tuple(threshold, threshold)
  .filter(([from, to]) => from !== to)
  .map(([from, to]): Side => [Math.max(0, Math.min(from, to)), Math.min(2 ** 32, Math.max(from, to))])
  .filter((side) => Array.isArray(side) && side[0] < side[1]);

/** Up to five boxes over up to `order` of the columns. */
export function rangesAmong(attributes: readonly Attribute[], order: number): fc.Arbitrary<Ranges> {
  return fc
    .subarray([...attributes.keys()], { minLength: 1, maxLength: Math.min(order, attributes.length) })
    .chain((columns) =>
      fc.tuple(
        fc.constant(columns),
        fc.tuple(...columns.map((column) => fc.boolean().map((is) => is && !attributes[column].tree))),
      ),
    )
    .chain(([columns, divided]) => {
      const sides = columns.map((column, at): fc.Arbitrary<Side> => {
        const { size, tree } = attributes[column];
        if (divided[at]) return fc.constant(null);
        return tree ? range : fc.oneof(range, fc.integer({ min: 0, max: size - 1 }));
      });
      return fc
        .array(fc.tuple(...sides), { minLength: 1, maxLength: 5 })
        .map((boxes) => ({ kind: "ranges", columns, boxes }));
    });
}

/** A few of a set of up to `most` half-spaces over some of the columns, with or without labels. */
export function halfSpacesAmong(attributes: readonly Attribute[], most: number): fc.Arbitrary<RandomHalfSpaces> {
  return fc
    .record({
      columns: fc.subarray([...attributes.keys()], { minLength: 1 }),
      labelled: fc.infiniteStream(fc.boolean()),
      each: fc.boolean(),
      side: fc.constantFrom("below" as const, "above" as const),
      strict: fc.boolean(),
      count: fc.integer({ min: 1, max: most }),
      seed: fc.integer({ min: 0, max: 5 }),
      asked: fc.option(fc.infiniteStream(fc.boolean()), { nil: undefined }),
    })
    .map(({ columns, labelled, each, count, asked, ...facts }) => {
      const labels = columns
        .slice(1)
        .filter((column) => labelled.next().value && !attributes[column].tree)
        .map((column) => attributes[column].name);
      const numbers = asked && Array.from({ length: count }, (_, at) => at).filter(() => asked.next().value);
      const drawing = { ...facts, count, labels, each: each && labels.length > 0 };
      return { kind: "random-half-spaces", columns, ...drawing, ...(numbers?.length ? { numbers } : {}) };
    });
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
