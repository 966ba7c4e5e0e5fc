import fc from "fast-check";
import { expect, it } from "vitest";
import { textOf, utf8 } from "../../src/core/utf8.js";

const byte = fc.oneof(
  fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xbb, 0xbf, 0xf0, 0xf4, 0xff),
  fc.nat(255),
);

it("gives the bytes of the web's encoder, for halves of surrogate pairs too", () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = String.fromCharCode(...units);
      expect(utf8(text)).toEqual(new TextEncoder().encode(text));
    }),
    { seed: 51, numRuns: 3000 },
  );
});

it("writes every code point as the platform does, and halves of surrogate pairs too", () => {
  for (let point = 0; point <= 0x10ffff; point += point < 0x12000 ? 1 : 0xff) {
    const text = String.fromCodePoint(point);
    const expected = new TextEncoder().encode(text);
    if (utf8(text).join() !== expected.join()) throw new Error(`U+${point.toString(16)} is written differently.`);
  }
  for (const text of ["", "aé€😀\ud83d", "\ude00\ud83d\ud83da", "\ud83dé"])
    expect(utf8(text)).toEqual(new TextEncoder().encode(text));
});

it("reads bytes as the platform does", () => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 30 }), fc.string({ unit: "binary", maxLength: 20 }), (bytes, text) => {
      expect(textOf(Uint8Array.from(bytes))).toBe(decoder.decode(Uint8Array.from(bytes)));
      expect(textOf(utf8(text))).toBe(text);
    }),
    { seed: 1, numRuns: 5000 },
  );
  const long = "aé☂😀".repeat(10_000);
  expect(textOf(utf8(long))).toBe(long);
});
