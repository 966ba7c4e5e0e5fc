import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANONICAL_BYTES, VALUE_COUNT, VALUE_DIGITS, VALUE_NEGATIVE, VALUE_SCALE } from "../../src/engine/layout.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { cellsOf, fieldOf, placedText, type Spelled, spelledMoment, spelledNumber } from "../random-notations.js";
import { canonicalOf, type Given, valueIn } from "../reference/read-value.js";
import { decoded } from "../reference/utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** The canonical texts of cells; what `readValue` says of them is the same. */
function read({ field }: Spelled, cells: readonly Uint8Array[]): (string | undefined)[] {
  exports.rewind(bottom);
  const notation = engine.place(notationStruct(field.notation.spelling));
  const out = engine.alloc(CANONICAL_BYTES);
  return cells.map((cell) => {
    const [from, to] = placedText(engine, cell);
    const length = exports.readCanonical(notation, from, to, out);
    const text = length < 0 ? undefined : decoded(engine.readU8(out, length));
    const value = exports.readValue(notation, from, to);
    expect(value ? canonicalOf(valueAt(value)) : undefined).toBe(text);
    return text;
  });
}

/** What a VALUE holds. */
function valueAt(pointer: number) {
  const [negative] = engine.readU32(pointer + VALUE_NEGATIVE, 1);
  const [scale] = engine.readI32(pointer + VALUE_SCALE, 1);
  const [count] = engine.readU32(pointer + VALUE_COUNT, 1);
  const digits = BigInt(decoded(engine.readU8(pointer + VALUE_DIGITS, count)) + "0".repeat(Math.max(0, -scale)));
  return { top: negative ? -digits : digits, places: Math.max(0, scale) };
}

const SPELLED: [string, fc.Arbitrary<Spelled>][] = [
  ["numbers", spelledNumber],
  ["dates and times", spelledMoment],
];

it.each(SPELLED)("reads %s as the oracle does", (_, spelled) => {
  const cells = spelled.chain((one) => fc.tuple(fc.constant(one), cellsOf(one)));
  fc.assert(
    fc.property(cells, ([one, list]) => {
      const expected = list.map((cell) => valueIn(one.given, decoded(cell)));
      expect(read(one, list), JSON.stringify(one.given)).toEqual(expected.map((value) => value && canonicalOf(value)));
    }),
    { numRuns: 500 },
  );
});

const integer = { type: "integer", constraints: { minimum: 0, maximum: 9 } };
const day = (format: string, minimum: string, maximum = minimum): Given => ({
  type: "date",
  format,
  constraints: { minimum, maximum },
});
const date = day("default", "2020-01-01");
const datetime = {
  type: "datetime",
  constraints: { minimum: "2020-01-01T00:00:00+02:00", maximum: "2021-01-01T00:00:00" },
};

describe("handles what no random text would contain", () => {
  const CASES: [string, Given, string, string | undefined][] = [
    ["400 digits", integer, "9".repeat(400), "9".repeat(400)],
    ["401 digits", integer, `0${"9".repeat(400)}`, undefined],
    ["the largest number", integer, `-${"9".repeat(400)}e400`, `-${"9".repeat(400)}${"0".repeat(400)}`],
    ["a scale of 400", integer, "1e-400", `0.${"0".repeat(399)}1`],
    ["a scale of 401", integer, ".1e-400", undefined],
    ["an exponent of five digits", integer, "1e00001", undefined],
    ["a mark within an exponent", { ...integer, groupChar: "_" }, "_1_2_e_-_1_", "1.2"],
    ["a sign before text", { ...integer, bareNumber: false }, "a-+$ 5 kg", "-5"],
    ["a comma after a number", { ...integer, bareNumber: false }, "5, or", undefined],
    ["half of a character as a mark", { ...integer, bareNumber: false, decimalChar: "\ud83d" }, "1😀", "1"],
    ["a leap day", date, "2020-02-29", "18321"],
    ["no leap day", date, "2100-02-29", undefined],
    ["the last day", date, "9999-12-31", "2932896"],
    ["the first day", date, "0000-01-01", "-719528"],
    ["a day of a leap year", day("%Y-%j", "2020-001"), "2020-366", "18627"],
    ["no day of another year", day("%Y-%j", "2020-001"), "2021-366", undefined],
    ["day 0", day("%Y-%j", "2020-001"), "2020-000", undefined],
    ["year 68", day("%d.%m.%y", "01.01.70"), "31.12.68", "36159"],
    ["year 69", day("%d.%m.%y", "01.01.70"), "1.1.69", "-365"],
    ["digits before a digit", day("%Y.%m1%d", "2020.113"), "2020.113", "18264"],
    ["no other match than the first one", day("%Y.%m1%d", "2020.113"), "2020.1110", undefined],
    ["small letters", day("%d %b %Y", "01 Jan 2020"), "1 mAr 2020", "18322"],
    ["a literal in another case", day("%d É %Y %m", "01 É 2020 01"), "1 é 2020 1", "18262"],
    ["a letter that has no such capital", day("%d K %Y %m", "01 K 2020 01"), "1 \u212a 2020 1", undefined],
    ["blanks that the pattern has", day(" %d.%m.%Y", " 01.01.2020"), "\t\ufeff 1.1.2020\u2028", "18262"],
    ["blanks that are lacking", day(" %d.%m.%Y", " 01.01.2020"), "1.1.2020", undefined],
    ["a fraction before 1970", datetime, "1969-12-31T23:59:59.250Z", "-0.75"],
    ["no fraction before 1970", datetime, "1969-12-31T23:59:59.000Z", "-1"],
    ["the assumed offset", datetime, "1970-01-01 02:00:00", "0"],
    ["another offset", datetime, "1970-01-01T00:00:00-0130", "5400"],
    ["an offset of hours", datetime, "1970-01-01T00:00:00+01", "-3600"],
    ["an offset beyond a day", datetime, "1970-01-01T00:00:00+24:00", undefined],
    ["minutes after a Z", datetime, "1970-01-01T00:00:00Z30", undefined],
    ["19 digits of a second", datetime, "1970-01-01T00:00:00.1234567890123456789", undefined],
  ];
  it.each(CASES)("%s", (_, given, text, expected) => {
    const spelled = fieldOf(given as Record<string, unknown>)!;
    expect(read(spelled, [new TextEncoder().encode(text)])).toEqual([expected]);
    const value = valueIn(given, text);
    expect(value && canonicalOf(value)).toBe(expected);
  });
});

it("leaves the text and the memory after its output alone", () => {
  exports.rewind(bottom);
  const { field } = fieldOf(integer)!;
  const notation = engine.place(notationStruct(field.notation.spelling));
  const text = new TextEncoder().encode(`${"1".repeat(400)}e400`);
  const [from, to] = placedText(engine, text);
  const out = engine.alloc(2 * CANONICAL_BYTES);
  expect(exports.readCanonical(notation, from, to, out)).toBe(CANONICAL_BYTES - 1);
  expect(engine.readU8(from, text.length)).toEqual(text);
  expect(engine.readU8(out + CANONICAL_BYTES, CANONICAL_BYTES).every((byte) => byte === 0)).toBe(true);
});
