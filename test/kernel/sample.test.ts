import fc from "fast-check";
import { expect, it } from "vitest";
import { STREAM_PUBLIC } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { sampleOrder, takenRows } from "../reference/sample.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

it("takes rows in the order of the words of their stream, and begins again at the end", () => {
  const columns = fc.array(fc.nat(65_534), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(columns, fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(150), (column, seed, wanted) => {
      exports.rewind(bottom);
      const rows = column.length;
      const [order, scratch, out] = [4 * rows, 16 * rows, 2 * wanted].map((bytes) => engine.alloc(bytes));
      exports.sampleOrder(order, rows, seed, scratch);
      const expected = sampleOrder(rows, seed, STREAM_PUBLIC);
      expect([...engine.u32(order, rows)]).toEqual(expected);
      exports.takeRows(engine.place(Uint16Array.from(column)), order, rows, out, wanted);
      expect([...engine.u16(out, wanted)]).toEqual(takenRows(column, expected, wanted));
    }),
    { seed: 4 },
  );
});
