import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { decoded, trimmed } from "../reference/utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** Bytes at which the decoder decides, and those of blanks. */
const EDGES = [
  ...[0x00, 0x09, 0x0d, 0x20, 0x41, 0x7f, 0x80, 0x85, 0x8a, 0x8b, 0x8f, 0x90, 0x9a, 0x9f, 0xa0, 0xa8, 0xaf, 0xbb],
  ...[0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xe2, 0xe3, 0xed, 0xee, 0xef, 0xf0, 0xf3, 0xf4, 0xf5, 0xff],
];
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(...EDGES).map((byte) => [byte]),
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
      fc.string({ unit: "binary", maxLength: 9 }).map((text) => [...new TextEncoder().encode(text)]),
      fc
        .constantFrom(..."\u00a0\u1680\u2000\u200a\u2028\u202f\u205f\u3000\ufeff")
        .map((blank) => [...new TextEncoder().encode(blank)]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

function read(text: Uint8Array) {
  exports.rewind(bottom);
  const from = engine.place(text);
  const to = from + text.length;
  const out = engine.alloc(3 * text.length + 1);
  engine.u8(out, 3 * text.length + 1).fill(0xaa);
  const length = exports.decodedText(from, to, out) - out;
  const start = exports.trimmedStart(from, to);
  return {
    text: new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(engine.readU8(out, length)),
    rest: engine.readU8(out + length, 3 * text.length + 1 - length),
    start: start - from,
    end: exports.trimmedEnd(start, to) - from,
  };
}

it("reads ill-formed text as the platform's decoder does, and writes no further", () => {
  fc.assert(
    fc.property(bytes, (text) => {
      const result = read(text);
      expect(result.text).toBe(decoded(text));
      expect(result.rest.every((byte) => byte === 0xaa)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it("finds the blanks around a text that JavaScript finds", () => {
  fc.assert(
    fc.property(bytes, (text) => {
      const { start, end } = read(text);
      const expected = trimmed(text);
      expect([start, end]).toEqual(
        expected.start === text.length ? [text.length, text.length] : [expected.start, expected.end],
      );
    }),
    { numRuns: 2000 },
  );
});

it("handles every two bytes, and every three that begin as blanks and surrogates do", () => {
  for (let first = 0x80; first < 0x100; first++)
    for (let second = 0; second < 0x100; second++) {
      const text = Uint8Array.of(first, second);
      expect(read(text).text).toBe(decoded(text));
    }
  for (const first of [0xe0, 0xe1, 0xe2, 0xe3, 0xed, 0xef])
    for (let rest = 0; rest < 0x4000; rest++) {
      const text = Uint8Array.of(first, 0x80 + (rest >> 8), rest & 0xff);
      const { start } = read(text);
      expect(start).toBe(trimmed(text).start);
    }
});
