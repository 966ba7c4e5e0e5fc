import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Of } from "../../src/core/utf8.js";

it("gives the bytes of the web's encoder, for halves of surrogate pairs too", () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = String.fromCharCode(...units);
      expect(utf8Of(text)).toEqual(new TextEncoder().encode(text));
    }),
    { seed: 51, numRuns: 3000 },
  );
});
