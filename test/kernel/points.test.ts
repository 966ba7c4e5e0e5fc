import fc from "fast-check";
import { expect, it } from "vitest";
import { STREAM_DECODE } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { points } from "../reference/points.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

function drawn(
  codes: readonly number[],
  starts: readonly number[],
  count: number,
  missing: number,
  seed: number,
  stream: number,
) {
  exports.rewind(bottom);
  const width = count <= 0xffff ? 2 : count <= 0xffffffff ? 4 : 8;
  const out = engine.alloc(width * codes.length + 8);
  const place = [engine.place(Uint16Array.from(codes)), engine.place(Float64Array.from(starts))] as const;
  exports.drawPoints(out, width, place[0], codes.length, place[1], starts.length, count, missing, seed, stream);
  const read =
    width === 2
      ? engine.u16(out, codes.length + 1)
      : width === 4
        ? engine.u32(out, codes.length + 1)
        : engine.f64(out, codes.length + 1);
  expect(read[codes.length]).toBe(0);
  return [...read.slice(0, codes.length)];
}

/** Runs of a grid: some are empty, the last one too. */
const grids = fc.constantFrom(1, 5, 99, 0xffff, 0x10000, 1e9, 0xffffffff, 2 ** 32, 2 ** 40, 2 ** 53).chain((count) =>
  fc.array(fc.maxSafeNat(), { maxLength: 7 }).map((cuts) => ({
    count,
    starts: [0, ...cuts.map((cut) => cut % (count + 1)).sort((a, b) => a - b)],
    missing: count <= 0xffff ? 0xffff : count <= 0xffffffff ? 0xffffffff : -1,
  })),
);

it("draws points of the codes' runs from the words of the stream", () => {
  const codes = fc.array(fc.nat(9), { maxLength: 40 });
  fc.assert(
    fc.property(grids, codes, u32, u32, ({ count, starts, missing }, given, seed, stream) => {
      expect(drawn(given, starts, count, missing, seed, stream)).toEqual(
        points(given, starts, count, missing, seed, STREAM_DECODE, stream),
      );
    }),
    { seed: 44, numRuns: 1000 },
  );
});

it("reaches both ends of a run and nothing outside", () => {
  const values = drawn(Array(400).fill(1), [0, 10, 14], 20, 0xffff, 7, 3);
  expect([...new Set(values)].sort((a, b) => a - b)).toEqual([10, 11, 12, 13]);
});
