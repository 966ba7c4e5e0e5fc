import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { cellsOf, fieldOf, placedText, type Spelled, spelledMoment, spelledNumber } from "../random-notations.js";
import { nearestPoint } from "../reference/read-point.js";
import { decoded } from "../reference/utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function points({ field }: Spelled, cells: readonly Uint8Array[]): number[] {
  exports.rewind(bottom);
  const notation = engine.place(notationStruct(field.notation.spelling, field.domain));
  return cells.map((cell) => exports.readPoint(notation, ...placedText(engine, cell)));
}

const bytes = (text: string): number[] => [...new TextEncoder().encode(text)];

const SPELLED: [string, fc.Arbitrary<Spelled>][] = [
  ["numbers", spelledNumber],
  ["dates and times", spelledMoment],
];

it.each(SPELLED)("finds the point of %s that the oracle finds", (_, spelled) => {
  const cells = spelled.chain((one) => fc.tuple(fc.constant(one), cellsOf(one)));
  fc.assert(
    fc.property(cells, ([one, list]) => {
      const expected = list.map((cell) => nearestPoint(one.given, one.field.domain, decoded(cell)));
      expect(points(one, list), JSON.stringify(one.given)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it("rounds halves up and clips, next to all bounds of 64 bits", () => {
  // Grids that just fit in 64 bits, and some that do not; values around every point of interest, also far outside.
  const edge = fc.constantFrom(2n ** 60n, 2n ** 61n, 2n ** 62n, 2n ** 63n, 10n ** 18n, 10n ** 19n, 2n ** 53n, 1n);
  const near = fc
    .tuple(edge, fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
    .map(([at, by, minus]) => (minus ? -at + by : at + by));
  const step = fc.oneof(
    fc.bigInt({ min: 1n, max: 5n }),
    near.map((size) => (size > 0n ? size : 1n)),
  );
  const halves = fc.constantFrom("", ".0", ".5", ".49999999999999999999", ".50000000000000000001", ".9");
  const inputs = fc.tuple(
    near,
    step,
    fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.constant(2n ** 53n - 1n)),
    fc.array(fc.tuple(near, halves)),
  );
  fc.assert(
    fc.property(inputs, ([start, stride, last, values]) => {
      const minimum = start - (start % stride);
      const one = fieldOf({
        type: "integer",
        standin: { granularity: String(stride) },
        constraints: { minimum: String(minimum), maximum: String(minimum + last * stride) },
      })!;
      const inner = [0n, 1n, last / 2n, last].map((at) => (2n * (minimum + at * stride) + stride) * 5n);
      const texts = [
        ...values.map(([value, half]) => `${value}${half}`),
        ...inner.flatMap((tenths) => [tenths - 1n, tenths, tenths + 1n].map((size) => `${size}e-1`)),
      ];
      const expected = texts.map((text) => nearestPoint(one.given, one.field.domain, text));
      expect(
        points(
          one,
          texts.map((text) => new TextEncoder().encode(text)),
        ),
      ).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

describe("handles what random texts rarely contain", () => {
  const number = { type: "number", constraints: { minimum: 0, maximum: 9999 }, standin: { granularity: 0.1 } };
  const CASES: [string, Record<string, unknown>, number[], number][] = [
    ["a blank as the mark, but not at the start", { ...number, decimalChar: " " }, bytes(" 5"), 50],
    ["nor at the end", { ...number, decimalChar: " " }, bytes("5 "), 50],
    ["half of a group mark", { ...number, groupChar: "\u00a0" }, [0x31, 0xa0, 0x32], -1],
    ["half of a decimal mark", { ...number, decimalChar: "\u00a0" }, [0x31, 0xa0, 0x32], -1],
    ["both halves", { ...number, groupChar: "\u00a0" }, bytes("1\u00a02"), 120],
  ];
  it.each(CASES)("%s", (_, given, text, expected) => {
    const one = fieldOf(given)!;
    expect(points(one, [Uint8Array.from(text)])).toEqual([expected]);
    expect(nearestPoint(given, one.field.domain, decoded(Uint8Array.from(text)))).toBe(expected);
  });

  it("nanoseconds as far from 1970 as 64 bits reach", () => {
    const seconds = Math.floor(2 ** 61 / 1e9);
    const at = (second: number, fraction: string) =>
      `${new Date(second * 1000).toISOString().slice(0, 19)}.${fraction}`;
    for (const start of [-seconds, seconds - 1]) {
      const one = fieldOf({
        type: "datetime",
        constraints: { minimum: at(start, "000000001"), maximum: at(start + 1, "4") },
        standin: { granularity: "1e-9" },
      })!;
      const texts = [start - 3, start - 2, start - 1, start, start + 1, start + 2, start + 3].flatMap((second) =>
        ["0", "3", "9999999999"].map((fraction) => at(second, fraction)),
      );
      const expected = texts.map((text) => nearestPoint(one.given, one.field.domain, text));
      expect(
        points(
          one,
          texts.map(bytes).map((text) => Uint8Array.from(text)),
        ),
      ).toEqual(expected);
    }
  });
});

it("can be moved: the struct has no addresses", () => {
  fc.assert(
    fc.property(fc.oneof(spelledNumber, spelledMoment), ({ field: { notation, domain } }) => {
      exports.rewind(bottom);
      const bytes = notationStruct(notation.spelling, domain);
      const text = placedText(
        engine,
        new TextEncoder().encode(notation.write({ units: domain.minimum, scale: domain.scale })),
      );
      const first = engine.place(bytes);
      const point = exports.readPoint(first, ...text);
      const second = engine.place(engine.readU8(first, bytes.length));
      engine.u8(first, bytes.length).fill(0xff);
      expect(exports.readPoint(second, ...text)).toBe(point);
    }),
  );
});
