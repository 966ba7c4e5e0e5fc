import fc from "fast-check";
import { expect, it } from "vitest";
import {
  ARGUMENT_REFUSED,
  OK,
  SCORE_ABOVE,
  SCORE_ABSOLUTE,
  SCORE_BELOW,
  SCORE_L1,
  SCORE_L2,
  SCORE_MAX,
} from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { scoreOf } from "../reference/scores.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** What the call returned, and the score that it left (7 where it left none). */
function score(
  counts: Int32Array,
  targets: Int32Array,
  { kind = SCORE_MAX, weight = 1, bias = 0n, scaleBits = 0 }: Partial<Options> = {},
): [status: number, score: bigint] {
  exports.rewind(bottom);
  const out = engine.place(BigInt64Array.of(7n));
  const [c, t] = [engine.place(counts), engine.place(targets)];
  const status = exports.score(c, t, counts.length, kind, weight, bias, scaleBits, out);
  return [status, engine.i64(out, 1)[0]];
}

/** The same for members of a set. */
function scoreMembers(
  counts: readonly number[],
  targets: readonly number[],
  cells: number,
  members: number,
  places: readonly number[],
  { kind = SCORE_MAX, weight = 1, bias = 0n, scaleBits = 0 }: Partial<Options> = {},
): [status: number, scores: bigint[]] {
  exports.rewind(bottom);
  const out = engine.place(new BigInt64Array(places.length).fill(7n));
  const [c, t] = [counts, targets].map((table) => engine.place(Int32Array.from(table)));
  const which = engine.place(Uint32Array.from(places));
  const how = [kind, weight, bias, scaleBits, out] as const;
  const status = exports.scoreMembers(c, t, cells, members, which, places.length, ...how);
  return [status, [...engine.i64(out, places.length)]];
}

interface Options {
  kind: number;
  weight: number;
  bias: bigint;
  scaleBits: number;
}

const i32 = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);
const tables = fc
  .array(fc.tuple(i32, i32), { maxLength: 40 })
  .map((cells) => [0, 1].map((side) => Int32Array.from(cells, (pair) => pair[side])));
const options = fc.integer({ min: 0, max: 24 }).chain((scaleBits) =>
  fc.record({
    kind: fc.constantFrom(SCORE_MAX, SCORE_L1, SCORE_ABOVE, SCORE_BELOW),
    weight: fc.integer({ min: 0, max: 2 ** scaleBits }),
    bias: fc.bigInt({ min: -(2n ** 50n), max: 2n ** 50n }),
    scaleBits: fc.constant(scaleBits),
  }),
);

it("is what the oracle finds, up to the ends of 32 bits", () => {
  fc.assert(
    fc.property(tables, options, ([counts, targets], how) => {
      const isEmpty = !counts.length && how.kind !== SCORE_MAX && how.kind !== SCORE_L1;
      const expected = isEmpty ? 7n : scoreOf(counts, targets, how.kind, BigInt(how.weight), how.bias);
      expect(score(counts, targets, how)).toEqual([isEmpty ? ARGUMENT_REFUSED : OK, expected]);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

it("of members of a set are those of their own counts and targets", () => {
  const sets = fc.record({ cells: fc.integer({ min: 1, max: 4 }), members: fc.integer({ min: 1, max: 9 }) });
  const drawn = sets.chain(({ cells, members }) => {
    const table = fc.array(i32, { minLength: cells * members, maxLength: cells * members });
    const places = fc.array(fc.nat({ max: members - 1 }), { maxLength: 12 });
    return fc.tuple(fc.constant({ cells, members }), table, table, places, options);
  });
  fc.assert(
    fc.property(drawn, ([{ cells, members }, counts, targets, places, how]) => {
      const own = (table: number[], place: number) => Int32Array.from(table.slice(place * cells, (place + 1) * cells));
      const expected = places.map((place) =>
        scoreOf(own(counts, place), own(targets, place), how.kind, BigInt(how.weight), how.bias),
      );
      const found = scoreMembers(counts, targets, cells, members, places, how);
      expect(found).toEqual([OK, expected]);
    }),
    { seed: 1, numRuns: 500 },
  );
});

it("refuses members that a set does not have, and what it refuses of one query", () => {
  const [counts, targets] = [
    [5, 6, 7],
    [2, 2, 2],
  ];
  expect(scoreMembers(counts, targets, 1, 3, [2, 0])).toEqual([OK, [5n, 3n]]);
  expect(scoreMembers(counts, targets, 1, 3, [3, 0])).toEqual([ARGUMENT_REFUSED, [7n, 7n]]);
  expect(scoreMembers(counts, targets, 1, 3, [2, 0], { weight: 2 })).toEqual([ARGUMENT_REFUSED, [7n, 7n]]);
});

it("has the norms and the ends of a difference that was computed by hand", () => {
  const [counts, targets] = [Int32Array.of(5, 0, 7, 2), Int32Array.of(2, 4, 7, 3)];
  expect(score(counts, targets, { kind: SCORE_MAX })).toEqual([OK, 4n]);
  expect(score(counts, targets, { kind: SCORE_L1 })).toEqual([OK, 8n]);
  expect(score(counts, targets, { kind: SCORE_ABOVE })).toEqual([OK, 3n]);
  expect(score(counts, targets, { kind: SCORE_BELOW })).toEqual([OK, 4n]);
  expect(score(Int32Array.of(1), Int32Array.of(3), { kind: SCORE_ABOVE, bias: 1n })).toEqual([OK, -3n]);
  expect(score(counts, targets, { kind: SCORE_L1, weight: 3, scaleBits: 2, bias: 30n })).toEqual([OK, -6n]);
});

it("refuses other kinds, and weights by which scores would change more than their sensitivity, and writes nothing", () => {
  const [counts, targets] = [Int32Array.of(5), Int32Array.of(2)];
  for (const how of [
    { kind: SCORE_ABSOLUTE },
    { kind: SCORE_L2 },
    { kind: 6 },
    { weight: 2 },
    { weight: 2 ** 20 + 1, scaleBits: 20 },
    { weight: 1, scaleBits: 32 },
  ])
    expect(score(counts, targets, how)).toEqual([ARGUMENT_REFUSED, 7n]);
  expect(score(counts, targets, { weight: 2 ** 20, scaleBits: 20 })).toEqual([OK, 3n << 20n]);
});
