import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { capped, kept } from "../reference/codes.js";

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

it("moves the codes of rows that stay to the front, in order, with zeros after them, and changes nothing else", () => {
  const engine = instance();
  const { exports } = engine;
  const bottom = exports.mark();
  const row = fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.boolean());
  fc.assert(
    fc.property(fc.array(row, { maxLength: 100 }), (rows) => {
      exports.rewind(bottom);
      const codes = rows.map(([code]) => code);
      const keep = rows.map(([, stays]) => stays);
      const column = engine.place(Uint16Array.of(...codes, 0xffff));
      const mask = engine.place(Uint8Array.from(keep, Number));
      const expected = kept(codes, keep);
      expect(exports.keepCodes(column, mask, rows.length)).toBe(expected.length);
      const zeros = Array.from({ length: rows.length - expected.length }, () => 0);
      expect([...engine.u16(column, rows.length + 1)]).toEqual([...expected, ...zeros, 0xffff]);
    }),
    { seed: 18, numRuns: 500 },
  );
});
