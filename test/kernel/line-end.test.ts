import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { lineLength } from "../reference/line-end.js";

it("a line ends after its first CR or LF, or with the bytes at hand", () => {
  const engine = instance();
  const bottom = engine.exports.mark();
  const byte = fc.oneof(fc.constantFrom(10, 13, 34), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 50 }), (bytes) => {
      engine.exports.rewind(bottom);
      const from = engine.place(Uint8Array.of(...bytes, 10));
      expect(engine.exports.lineEnd(from, from + bytes.length) - from).toBe(lineLength(bytes));
    }),
    { seed: 19, numRuns: 500 },
  );
});
