import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { rowKeys } from "../reference/row-keys.js";

const engine = instance();
const bottom = engine.exports.mark();

it("adds a column's part to the cells of rows", () => {
  const rows = fc.array(fc.tuple(fc.nat(1e6), fc.nat(65_535)), { maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.nat(1000), (given, stride) => {
      engine.exports.rewind(bottom);
      const [before, codes] = [given.map(([key]) => key), given.map(([, code]) => code)];
      const keys = engine.place(Uint32Array.from(before));
      engine.exports.addRowKeys(engine.place(Uint16Array.from(codes)), given.length, stride, keys);
      expect([...engine.u32(keys, given.length)]).toEqual(rowKeys(before, codes, stride));
    }),
    { seed: 1 },
  );
});
