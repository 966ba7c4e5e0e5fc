import fc from "fast-check";
import { expect, it } from "vitest";
import {
  ENCODING_UTF_8,
  ENCODING_UTF_16BE,
  ENCODING_UTF_16LE,
  ENCODING_WINDOWS_1252,
} from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { asciiLength, decodedAs, marked } from "../reference/recode.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const ENCODINGS = [
  ["utf-16le", ENCODING_UTF_16LE],
  ["utf-16be", ENCODING_UTF_16BE],
  ["windows-1252", ENCODING_WINDOWS_1252],
] as const;

/** A text that arrives in pieces. */
function recoded(encoding: number, pieces: readonly Uint8Array[]): string {
  exports.rewind(bottom);
  const recoder = exports.recoderOpen(encoding) >>> 0;
  const written = pieces.map((piece, at) => {
    const from = engine.place(piece);
    const room = 3 * piece.length + 6;
    const out = engine.alloc(room + 1);
    engine.u8(out + room, 1)[0] = 0xaa;
    const end = exports.recode(recoder, from, from + piece.length, at === pieces.length - 1 ? 1 : 0, out) >>> 0;
    expect(end - out).toBeLessThanOrEqual(room);
    expect(engine.u8(out + room, 1)[0]).toBe(0xaa);
    return engine.readU8(out, end - out);
  });
  return textOf(Buffer.concat(written));
}

/** Units at which decoders decide: ASCII, other lengths of UTF-8, and halves of pairs. */
const UNITS = [0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff, 0xfffe, 0xffff];
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(...UNITS).map((unit) => [unit & 0xff, unit >> 8]),
      fc.constantFrom(...UNITS).map((unit) => [unit >> 8, unit & 0xff]),
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
      fc.string({ unit: "binary-ascii", minLength: 3, maxLength: 9 }).map((text) => [...Buffer.from(text, "utf16le")]),
      fc.string({ unit: "binary", maxLength: 5 }).map((text) => [...Buffer.from(text, "utf16le").swap16()]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

it.each(ENCODINGS)("reads %s as the platform's decoder does, in any pieces", (name, encoding) => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(40), { maxLength: 5 }), (text, cuts) => {
      const bounds = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = bounds.slice(1).map((end, at) => text.subarray(bounds[at], end));
      expect(recoded(encoding, pieces)).toBe(decodedAs(name, text));
    }),
    { numRuns: 3000 },
  );
});

it("knows every byte of windows-1252, and every unit of UTF-16 alone", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(recoded(ENCODING_WINDOWS_1252, [all])).toBe(decodedAs("windows-1252", all));
  const units = new Uint8Array(Uint16Array.from({ length: 2 ** 16 }, (_, unit) => unit).buffer);
  expect(recoded(ENCODING_UTF_16LE, [units])).toBe(decodedAs("utf-16le", units));
  expect(recoded(ENCODING_UTF_16BE, [units])).toBe(decodedAs("utf-16be", units));
});

it("sees a byte order mark, and where ASCII ends", () => {
  const names = new Map<number, string>(
    [...ENCODINGS, ["utf-8", ENCODING_UTF_8] as const].map(([name, is]) => [is, name]),
  );
  const marks = fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xff], []);
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 20 }).map((text) => [...Buffer.from(text)]);
  fc.assert(
    fc.property(fc.tuple(marks, ascii, bytes), (parts) => {
      exports.rewind(bottom);
      const text = Uint8Array.from(parts.flatMap((part) => [...part]));
      const from = engine.place(Uint8Array.of(...text, 0xbf));
      expect(names.get(exports.markedEncoding(from, from + text.length))).toBe(marked(text));
      const start = from + parts[0].length;
      expect(exports.asciiEnd(start, from + text.length) - start).toBe(asciiLength(text.subarray(parts[0].length)));
    }),
    { numRuns: 2000 },
  );
});
