import fc from "fast-check";
import { expect, it } from "vitest";
import type { CodeTexts } from "../../src/core/table.js";
import { RecordWriter } from "../../src/files/record-writer.js";
import { numberNotation } from "../../src/notation/numbers.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { id } from "../reference/ids.js";
import { lines } from "../reference/write-records.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

interface Drawn {
  readonly texts: CodeTexts;
  readonly width: 2 | 4 | 8;
  /** The text of a code. */
  text(code: number): string;
}

const label = fc.string({ unit: fc.constantFrom('"', ",", "\n", "a", "é", " "), maxLength: 20 });
const widths = fc.constantFrom(2 as const, 4 as const, 8 as const);
const lists = fc.array(label, { minLength: 1, maxLength: 5 }).chain((all) =>
  widths.map(
    (width): Drawn => ({
      texts: { kind: "listed", list: () => all },
      width,
      text: (code) => all[Math.min(code, all.length - 1)],
    }),
  ),
);
const ids = fc.constantFrom("#", "P-###,#", 'a"#').chain((pattern) =>
  fc.constantFrom(10 as const, 16 as const).map(
    (base): Drawn => ({
      texts: { kind: "id", pattern, base },
      width: 4,
      text: (code) => id(pattern, base, code + 1),
    }),
  ),
);
/** Grids of 998, 999, 1,000 and so on; with their groups marked by commas, some need quotes. */
const grids = fc
  .tuple(fc.constantFrom(",", ""), fc.constantFrom(1, 3, 6, 10 ** 9), label, widths)
  .map(([groupChar, points, missing, width]): Drawn => {
    const { spelling } = numberNotation("", "integer", groupChar ? { groupChar } : {}, {});
    const grid = { minimum: 998n, step: 1n, scale: 0, points };
    return {
      texts: { kind: "points", points, missing, notation: () => notationStruct(spelling, grid) },
      width,
      text: (code) => {
        if (code >= points) return missing;
        const digits = String(998 + code);
        return digits.length > 3 ? `${digits.slice(0, -3)}${groupChar}${digits.slice(-3)}` : digits;
      },
    };
  });
const ARRAYS = { 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

it("writes every record once, in order, however many fit", () => {
  const columns = fc.array(fc.oneof(lists, ids, grids), { maxLength: 5 });
  const codes = fc.array(fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), { maxLength: 20 });
  fc.assert(
    fc.property(columns, codes, fc.constantFrom(",", ";"), fc.nat(200), (drawn, rows, delimiter, room) => {
      exports.rewind(bottom);
      const writer = new RecordWriter(engine, drawn, delimiter, rows.length);
      writer.take(
        drawn.map(({ width }, at) => ARRAYS[width].from(rows.map((row) => row[at]))),
        0,
      );
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
  const texts: CodeTexts = { kind: "listed", list: () => ["a", "b"] };
  const writer = new RecordWriter(engine, [{ texts, width: 8 }], ",", 6);
  writer.take([Float64Array.of(0, 1, 2, 2 ** 53, Number.POSITIVE_INFINITY, 1e300)], 0);
  const out = engine.alloc(200);
  const { end } = writer.write(0, 6, out, out + 200);
  expect(textOf(engine.u8(out, end - out))).toBe("a\nb\nb\nb\nb\nb\n");
});

it("writes rows' numbers where a column has no codes", () => {
  exports.rewind(bottom);
  const writer = new RecordWriter(engine, [{ texts: { kind: "id", pattern: "#", base: 10 }, width: 0 }], ",", 3);
  writer.take([], 20_000);
  const out = engine.alloc(200);
  const { end } = writer.write(0, 3, out, out + 200);
  expect(textOf(engine.u8(out, end - out))).toBe("20001\n20002\n20003\n");
});

it("writes codes that are no points of a grid as missing, whatever they are", () => {
  const { spelling } = numberNotation("", "integer", {}, {});
  const grid = { minimum: 5n, step: 1n, scale: 0, points: 2 ** 40 };
  const notation = () => notationStruct(spelling, grid);
  const texts: CodeTexts = { kind: "points", points: grid.points, missing: "NA", notation };
  const codes = [0, -1, 2 ** 40, 2 ** 40 - 1, Number.NaN, Number.POSITIVE_INFINITY, -1e300];
  exports.rewind(bottom);
  const writer = new RecordWriter(engine, [{ texts, width: 8 }], ",", codes.length);
  writer.take([Float64Array.from(codes)], 0);
  const out = engine.alloc(2000);
  const { end } = writer.write(0, codes.length, out, out + 2000);
  expect(textOf(engine.u8(out, end - out))).toBe(`5\nNA\nNA\n${2 ** 40 + 4}\nNA\nNA\nNA\n`);
});
