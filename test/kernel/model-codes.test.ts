import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instance } from "../engine.js";
import { modelCodes, type Points } from "../reference/model-codes.js";

const engine = instance();

type Stored = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** The codes that the engine gives stored points, or stored categories where there are no points. */
function found(points: (Points & { readonly points: number }) | undefined, stored: Stored, last: number): number[] {
  return engine.scratch(() => {
    const { exports } = engine;
    const starts = points && Float64Array.from(points.starts);
    const runs =
      points && exports.runsOpen(engine.place(starts!), starts!.length, points.points, points.missing ?? Number.NaN);
    const out = engine.alloc(2 * stored.length + 2);
    engine.write(out + 2 * stored.length, Uint16Array.of(12_345));
    exports.modelCodes(runs ?? 0, engine.place(stored), stored.BYTES_PER_ELEMENT, stored.length, last, out);
    const codes = [...engine.readU16(out, stored.length + 1)];
    expect(codes.pop()).toBe(12_345);
    return codes;
  });
}

/** Starts of codes on a grid: of equal width, where several codes may start at the same point, or anywhere. */
const starts = (points: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: Math.min(points, 200) }).map((count) => equal(points, count)),
    fc.constant(equal(points, 32)),
    fc
      .uniqueArray(
        fc.maxSafeInteger().map((point) => Math.abs(point) % points),
        { maxLength: 20 },
      )
      .map((some) => [...new Set([0, ...some])].sort((one, other) => one - other)),
  );
const equal = (points: number, count: number) =>
  Array.from({ length: count }, (_, code) =>
    Number((BigInt(code) * BigInt(points) + BigInt(count - 1)) / BigInt(count)),
  );

/** The widths of stored codes, with the points that fit and what stands for missing. */
const WIDTHS = [
  { most: 0xffff, missing: 0xffff, array: Uint16Array },
  { most: 0xffffffff, missing: 0xffffffff, array: Uint32Array },
  { most: 2 ** 53, missing: -1, array: Float64Array },
] as const;

describe("codes of grid points", () => {
  it.each(WIDTHS)("stored up to $most are those in whose run they lie", ({ most, missing, array }) => {
    const size = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: most }), fc.constant(most));
    const grid = size.chain((points) =>
      fc.record({
        points: fc.constant(points),
        starts: starts(points),
        any: fc.array(
          fc.maxSafeInteger().map((point) => Math.abs(point) % points),
          { maxLength: 60 },
        ),
        hasMissing: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(grid, ({ points, starts, any, hasMissing }) => {
        // Where one code ends and the next begins.
        const edges = starts.flatMap((start) => [start - 1, start, start + 1]).filter((at) => at >= 0 && at < points);
        const stored = [...any, ...edges, points - 1, ...(hasMissing ? [missing] : [])];
        const rule = { starts, points, missing: hasMissing ? missing : undefined };
        const last = starts.length - (hasMissing ? 0 : 1);
        expect(found(rule, array.from(stored), last)).toEqual(modelCodes(rule, stored, last));
      }),
      { seed: 51, numRuns: 400 },
    );
  });
});

it("codes of categories are those stored, none above the last one", () => {
  const code = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(code, { maxLength: 100 }), code, (stored, last) => {
      const every = { starts: Array.from({ length: 0x10000 }, (_, at) => at), missing: undefined };
      const wanted = stored.map((one) => Math.min(one, last));
      expect(found(undefined, Uint16Array.from(stored), last)).toEqual(wanted);
      if (stored.length < 3) expect(modelCodes(every, stored, last)).toEqual(wanted);
    }),
    { seed: 52, numRuns: 300 },
  );
});
