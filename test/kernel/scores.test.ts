import fc from "fast-check";
import { expect, it } from "vitest";
import { ARGUMENT_REFUSED, OK, SCORE_ABSOLUTE, SCORE_L1, SCORE_L2, SCORE_MAX } from "../../src/engine/layout.js";
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
    kind: fc.constantFrom(SCORE_MAX, SCORE_L1),
    weight: fc.integer({ min: 0, max: 2 ** scaleBits }),
    bias: fc.bigInt({ min: -(2n ** 50n), max: 2n ** 50n }),
    scaleBits: fc.constant(scaleBits),
  }),
);

it("is what the oracle finds, up to the ends of 32 bits", () => {
  fc.assert(
    fc.property(tables, options, ([counts, targets], how) => {
      const expected = scoreOf(counts, targets, how.kind, BigInt(how.weight), how.bias);
      expect(score(counts, targets, how)).toEqual([OK, expected]);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

it("has the two norms of a difference that was computed by hand", () => {
  const [counts, targets] = [Int32Array.of(5, 0, 7, 2), Int32Array.of(2, 4, 7, 3)];
  expect(score(counts, targets, { kind: SCORE_MAX })).toEqual([OK, 4n]);
  expect(score(counts, targets, { kind: SCORE_L1 })).toEqual([OK, 8n]);
  expect(score(counts, targets, { kind: SCORE_L1, weight: 3, scaleBits: 2, bias: 30n })).toEqual([OK, -6n]);
});

it("refuses other kinds, and weights by which scores would change more than their sensitivity, and writes nothing", () => {
  const [counts, targets] = [Int32Array.of(5), Int32Array.of(2)];
  for (const how of [
    { kind: SCORE_ABSOLUTE },
    { kind: SCORE_L2 },
    { kind: 4 },
    { weight: 2 },
    { weight: 2 ** 20 + 1, scaleBits: 20 },
    { weight: 1, scaleBits: 32 },
  ])
    expect(score(counts, targets, how)).toEqual([ARGUMENT_REFUSED, 7n]);
  expect(score(counts, targets, { weight: 2 ** 20, scaleBits: 20 })).toEqual([OK, 3n << 20n]);
});
