import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { capped } from "../reference/codes.js";

it("codes above the last one become that one, the others stay, and nothing outside the column changes", () => {
  const engine = instance();
  const { exports } = engine;
  const bottom = exports.mark();
  const code = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(code, { maxLength: 100 }), code, (codes, last) => {
      exports.rewind(bottom);
      const pointer = engine.place(Uint16Array.of(...codes, 0xffff));
      exports.capCodes(pointer, codes.length, last);
      expect([...engine.u16(pointer, codes.length + 1)]).toEqual([...capped(codes, last), 0xffff]);
    }),
    { seed: 17, numRuns: 500 },
  );
});
