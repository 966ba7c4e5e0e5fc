import fc from "fast-check";
import { expect, it } from "vitest";
import { ARRAY_DICTIONARY, ARRAY_F64, ARRAY_I64 } from "../../src/engine/layout.js";
import { idStruct } from "../../src/files/record-writer.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { spelledMoment, spelledNumber } from "../random-notations.js";
import { decimal, idsOf, textsOf } from "../reference/values.js";
import { textOf as pointText } from "../reference/write-point.js";
import { placeSpelling } from "../spellings.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const bits = (given: readonly boolean[]) => {
  const validity = new Array(Math.ceil(given.length / 8)).fill(0);
  for (const [row, isThere] of given.entries()) if (isThere) validity[row >> 3] |= 1 << (row & 7);
  return validity;
};

const WIDTHS = [2, 4, 8] as const;
const OTHERS = { 2: [65_535], 4: [65_535, 2 ** 32 - 1], 8: [-1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY] };

it("writes the numbers of points exactly, and nothing for other codes", () => {
  const spelled = fc.constantFrom(...WIDTHS).chain((width) => {
    const points = fc.integer({ min: 1, max: width === 2 ? 60_000 : 2 ** 31 });
    return points.chain((most) => {
      const code = fc.oneof({ weight: 4, arbitrary: fc.nat(most - 1) }, fc.constantFrom(most, ...OTHERS[width]));
      return fc.record({ width: fc.constant(width), most: fc.constant(most), codes: fc.array(code) });
    });
  });
  const start = fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n });
  const step = fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 2n ** 20n }));
  fc.assert(
    fc.property(spelled, start, step, fc.nat(22), ({ width, most, codes }, minimum, stride, scale) => {
      exports.rewind(bottom);
      const spelling = placeSpelling(engine, codes, width, most);
      const there = codes.map((code) => code >= 0 && code < most);
      const units = codes.map((code, row) => (there[row] ? minimum + BigInt(code) * stride : 0n));
      const write = (type: number, first: bigint, by: bigint, divisor: number) => {
        const [values, validity] = [engine.alloc(8 * codes.length + 1), engine.alloc(codes.length + 1)];
        exports.writeValues(...([spelling, codes.length, type, first, by, divisor, values, validity] as const));
        expect([...engine.u8(validity, Math.ceil(codes.length / 8))]).toEqual(bits(there));
        return values;
      };
      expect([...engine.i64(write(ARRAY_I64, minimum, stride, 1), codes.length)]).toEqual(units);
      const places = codes.map((code, row) => (there[row] ? code : 0));
      expect([...engine.i32(write(ARRAY_DICTIONARY, 0n, 1n, 1), codes.length)]).toEqual(places);
      const exact = units.every((one) => one <= 2n ** 53n && one >= -(2n ** 53n));
      if (exact)
        expect([...engine.f64(write(ARRAY_F64, minimum, stride, Number(`1e${scale}`)), codes.length)]).toEqual(
          units.map((one) => decimal(one, scale)),
        );
    }),
    { seed: 61, numRuns: 1000 },
  );
});

it("writes integers up to the ends of 64 bits", () => {
  exports.rewind(bottom);
  const spelling = placeSpelling(engine, [0, 1, 2 ** 53 - 1], 8, 2 ** 53);
  const [values, validity] = [engine.alloc(24), engine.alloc(1)];
  exports.writeValues(...([spelling, 3, ARRAY_I64, -(2n ** 63n), 2n ** 11n, 1, values, validity] as const));
  const last = -(2n ** 63n) + (2n ** 53n - 1n) * 2n ** 11n;
  expect([...engine.i64(values, 3)]).toEqual([-(2n ** 63n), -(2n ** 63n) + 2n ** 11n, last]);
});

it("writes the texts of points and of ids without quotes, and none for a missing cell", () => {
  const parts = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(spelledNumber, spelledMoment), parts, ({ given, field }, some) => {
      exports.rewind(bottom);
      const { domain, notation } = field;
      const codes = some.map((part) => (part === null ? -1 : Math.floor(part * (domain.points - 1))));
      const spelling = placeSpelling(engine, codes, 8, domain.points, notationStruct(notation.spelling, domain));
      const texts = codes.map((code) => (code < 0 ? undefined : pointText(given as never, domain, code)));
      expect(written(spelling, 0, codes.length, 2000)).toEqual({
        ...textsOf(texts),
        validity: bits(texts.map(Boolean)),
      });
    }),
    { seed: 62, numRuns: 500 },
  );
  for (const [pattern, base] of [
    ['a"#,', 10],
    ["ä-##", 16],
  ] as const) {
    exports.rewind(bottom);
    const spelling = placeSpelling(engine, [], 0, 0, idStruct(pattern, base));
    const rows = [...Array(20).keys()];
    const texts = idsOf(
      pattern,
      base,
      rows.map((row) => row + 990),
    );
    expect(written(spelling, 990, 20, 40)).toEqual({ ...textsOf(texts), validity: bits(rows.map(() => true)) });
  }
});

/** Texts that `writeTexts` writes. @param most bytes of one */
function written(spelling: number, first: number, rows: number, most: number) {
  const offsets = engine.alloc(4 * rows + 4);
  const [texts, validity] = [engine.alloc(most * rows + 1), engine.alloc(rows + 1)];
  const end = exports.writeTexts(spelling, first, rows, offsets, texts, validity) >>> 0;
  return {
    offsets: [...engine.u32(offsets, rows + 1)],
    text: textOf(engine.readU8(texts, end - texts)),
    validity: [...engine.u8(validity, Math.ceil(rows / 8))],
  };
}
