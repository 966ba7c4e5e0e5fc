import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { unitValues } from "../reference/unit-values.js";

const engine = instance();

it.each([
  { array: Uint16Array, most: 0xfffe, absent: 0xffff },
  { array: Uint32Array, most: 0xfffffffe, absent: 0xffffffff },
  { array: Float64Array, most: 2 ** 53 - 1, absent: -1 },
])("positions of points stored up to $most, exactly", ({ array, most, absent }) => {
  const column = fc
    .oneof(
      fc.constantFrom(0, most),
      fc.maxSafeInteger().map((last) => Math.abs(last) % most),
    )
    .chain((last) =>
      fc.record({
        last: fc.constant(last),
        hasMissing: fc.boolean(),
        points: fc.array(
          fc.oneof(
            fc.constantFrom(0, last, absent),
            fc.maxSafeInteger().map((point) => Math.abs(point) % (last + 1)),
          ),
        ),
      }),
    );
  fc.assert(
    fc.property(column, ({ last, hasMissing, points }) => {
      const stored = array.from(hasMissing ? points : points.filter((point) => point !== absent));
      const found = engine.scratch(() => {
        const codes = engine.alloc(2 * stored.length + 2);
        const values = engine.alloc(8 * stored.length + 8);
        const missing = hasMissing ? absent : Number.NaN;
        const rows = stored.length;
        engine.exports.unitValues(engine.place(stored), stored.BYTES_PER_ELEMENT, rows, last, missing, codes, values);
        const [code, value] = [engine.readU16(codes, rows + 1), engine.readF64(values, rows + 1)];
        expect([code[rows], value[rows]]).toEqual([0, 0]);
        return Array.from({ length: rows }, (_, row) => ({ code: code[row], value: value[row] }));
      });
      expect(found).toEqual(unitValues(stored, last, hasMissing ? absent : undefined));
    }),
    { seed: 71, numRuns: 300 },
  );
});
