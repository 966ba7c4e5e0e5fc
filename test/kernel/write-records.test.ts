import fc from "fast-check";
import { expect, it } from "vitest";
import type { Spelling } from "../../src/core/table.js";
import { RecordWriter } from "../../src/files/spelling.js";
import { instance } from "../engine.js";
import { id } from "../reference/ids.js";
import { lines } from "../reference/write-records.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

interface Drawn {
  readonly spelling: Spelling;
  readonly width: 2 | 4 | 8;
  /** The text of a code. */
  text(code: number): string;
}

const label = fc.string({ unit: fc.constantFrom('"', ",", "\n", "a", "é", " "), maxLength: 20 });
const texts = fc.array(label, { minLength: 1, maxLength: 5 }).chain((all) =>
  fc.constantFrom(2 as const, 4 as const, 8 as const).map(
    (width): Drawn => ({
      spelling: { kind: "texts", texts: () => all },
      width,
      text: (code) => all[Math.min(code, all.length - 1)],
    }),
  ),
);
const ids = fc.constantFrom("#", "P-###,#", 'a"#').chain((text) =>
  fc.constantFrom(10 as const, 16 as const).map(
    (base): Drawn => ({
      spelling: { kind: "id", text, base },
      width: 4,
      text: (code) => id(text, base, code + 1),
    }),
  ),
);
const ARRAYS = { 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

it("writes every record once, in order, however many fit", () => {
  const columns = fc.array(fc.oneof(texts, ids), { maxLength: 5 });
  const codes = fc.array(fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), { maxLength: 20 });
  fc.assert(
    fc.property(columns, codes, fc.constantFrom(",", ";"), fc.nat(200), (drawn, rows, delimiter, room) => {
      exports.rewind(bottom);
      const writer = new RecordWriter(engine, drawn, delimiter, rows.length);
      writer.take(drawn.map(({ width }, at) => ARRAYS[width].from(rows.map((row) => row[at]))));
      const out = engine.alloc(writer.recordBytes + room);
      const expected = lines(
        rows.map((row) => drawn.map(({ text }, at) => text(row[at]))),
        delimiter,
      );
      let row = 0;
      while (row < rows.length) {
        const { written, end } = writer.write(row, rows.length, out, out + writer.recordBytes + room);
        expect(written).toBeGreaterThan(0);
        const text = textOf(engine.u8(out, end - out));
        expect(text).toBe(expected.slice(row, row + written).join(""));
        row += written;
      }
      expect(writer.write(0, rows.length, out, out + writer.recordBytes - 1).written).toBe(0);
    }),
    { seed: 43, numRuns: 1000 },
  );
});

it("takes the last text for codes that have none, whatever they are", () => {
  exports.rewind(bottom);
  const spelling: Spelling = { kind: "texts", texts: () => ["a", "b"] };
  const writer = new RecordWriter(engine, [{ spelling, width: 8 }], ",", 6);
  writer.take([Float64Array.of(0, 1, 2, 2 ** 53, Number.POSITIVE_INFINITY, 1e300)]);
  const out = engine.alloc(200);
  const { end } = writer.write(0, 6, out, out + 200);
  expect(textOf(engine.u8(out, end - out))).toBe("a\nb\nb\nb\nb\nb\n");
});

it("writes rows' numbers where a column has no codes", () => {
  exports.rewind(bottom);
  const writer = new RecordWriter(engine, [{ spelling: { kind: "id", text: "#", base: 10 }, width: 0 }], ",", 3);
  const out = engine.alloc(200);
  const { end } = writer.write(0, 3, out, out + 200);
  expect(textOf(engine.u8(out, end - out))).toBe("1\n2\n3\n");
});
