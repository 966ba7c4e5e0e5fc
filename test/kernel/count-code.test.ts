import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { times } from "../reference/count-code.js";

const engine = instance();

it.each([Uint16Array, Uint32Array, Float64Array])("counts the rows that have a code", (array) => {
  const code = fc.constantFrom(0, 1, 2, 0xffff, 0xffffffff, 2 ** 40, -1);
  fc.assert(
    fc.property(fc.array(code, { maxLength: 40 }), code, (codes, wanted) => {
      const stored = array.from(codes);
      const found = engine.scratch(() =>
        engine.exports.countCode(engine.place(stored), stored.BYTES_PER_ELEMENT, stored.length, wanted),
      );
      expect(found).toBe(times(stored, wanted));
    }),
    { seed: 61, numRuns: 300 },
  );
});
