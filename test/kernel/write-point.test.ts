import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { fieldOf, placedText, type Spelled, spelledMoment, spelledNumber } from "../random-notations.js";
import { decoded } from "../reference/utf8.js";
import { textOf } from "../reference/write-point.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** The texts of points, which read as the same points. */
function texts({ field: { notation, domain } }: Spelled, points: readonly number[]): string[] {
  exports.rewind(bottom);
  const struct = engine.place(notationStruct(notation.spelling, domain));
  const most = exports.pointBytes(struct);
  const out = engine.alloc(most + 16);
  return points.map((point) => {
    engine.u8(out, most + 16).fill(0xaa);
    const length = exports.writePoint(struct, point, out) - out;
    expect(length).toBeLessThanOrEqual(most);
    expect(engine.readU8(out + most, 16).every((byte) => byte === 0xaa)).toBe(true);
    return decoded(engine.readU8(out, length));
  });
}

const SPELLED: [string, fc.Arbitrary<Spelled>][] = [
  ["numbers", spelledNumber],
  ["dates and times", spelledMoment],
];

it.each(SPELLED)("writes %s as the oracle does, into as many bytes as it states", (_, spelled) => {
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 });
  fc.assert(
    fc.property(spelled, parts, (one, list) => {
      const last = one.field.domain.points - 1;
      const points = [0, last, ...list.map((part) => Math.floor(part * last))];
      const expected = points.map((point) =>
        decoded(new TextEncoder().encode(textOf(one.given, one.field.domain, point))),
      );
      expect(texts(one, points), JSON.stringify(one.given)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

const number = (minimum: unknown, maximum: unknown, granularity: unknown, format: object = {}, rest: object = {}) => ({
  type: "number",
  constraints: { minimum, maximum },
  standin: { granularity, format },
  ...rest,
});

describe("writes", () => {
  const CASES: [string, Record<string, unknown>, number, string][] = [
    ["no digit before the point", number(0, 1, 0.25, { width: 0 }), 1, ".25"],
    ["groups", number(0, 1e9, 1, {}, { groupChar: "'" }), 1_234_567, "1'234'567"],
    ["no mark before the first group", number(0, 1e9, 1, {}, { groupChar: "'" }), 123_456, "123'456"],
    ["a sign before a prefix", number(-9, 9, 1, { prefix: "€ " }, { bareNumber: false }), 0, "-€ 9"],
    ["2^53 points", number(0, 2 ** 53 - 1, 1), 2 ** 53 - 1, "9007199254740991"],
    ["many limbs", number("-1e300", "1e300", "1e290"), 0, `-1${"0".repeat(300)}`],
    ["zero with an exponent", number(0, 1, 0.5, { exponent: "0.0e+00" }), 0, "0.0e+00"],
    ["more digits than an exponent's mantissa has", number(0, 9e5, 1, { exponent: "0.0E0" }), 123_450, "1.2345E5"],
    ["a magnitude at plainBelow", number(0, 3000, 0.5, { exponent: "0e+00", plainBelow: 1000 }), 2000, "1e+03"],
    ["a magnitude below it", number(0, 3000, 0.5, { exponent: "0e+00", plainBelow: 1000 }), 1999, "999.5"],
    ["0 below plainFrom", number(0, 3000, 0.5, { exponent: "0e+00", plainFrom: 1 }), 0, "0.0"],
  ];
  it.each(CASES)("%s", (_, given, point, expected) => {
    const one = fieldOf(given)!;
    expect(texts(one, [point])).toEqual([expected]);
    expect(textOf(given, one.field.domain, point)).toBe(expected);
  });
});

it("writes all days of 10,000 years so that they read as the same days", () => {
  exports.rewind(bottom);
  for (const format of ["%Y-%m-%d", "%Y %j", "%-d %B %Y"]) {
    const given = {
      type: "date",
      format,
      constraints: { minimum: textAt(format, -719_528), maximum: textAt(format, 2_932_896) },
    };
    const { field } = fieldOf(given)!;
    const struct = engine.place(notationStruct(field.notation.spelling, field.domain));
    const [out] = placedText(engine, new Uint8Array(exports.pointBytes(struct)));
    for (let point = 0; point < field.domain.points; point++)
      if (exports.readPoint(struct, out, exports.writePoint(struct, point, out)) !== point)
        throw new Error(`${format}: day ${point} reads as another day.`);
  }
});

const textAt = (format: string, days: number) =>
  textOf({ type: "date", format }, { minimum: BigInt(days), step: 1n, scale: 0, points: 1 }, 0);
