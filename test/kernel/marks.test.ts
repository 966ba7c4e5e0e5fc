import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { marks } from "../reference/marks.js";

const engine = instance();

/**
 * The places that the engine finds in bytes that lie `shift` bytes after a multiple of 16, before others that are
 * marks.
 */
function found(bytes: Uint8Array, delimiter: string, shift: number): number[] {
  return engine.scratch(() => {
    const from = engine.alloc(shift + bytes.length + 64) + shift;
    const out = engine.alloc(4 * (bytes.length + 64));
    engine.write(from, Uint8Array.of(...bytes, ...new Array<number>(64).fill(10)));
    const count = engine.exports.findMarks(from, from + bytes.length, delimiter.charCodeAt(0), out);
    return [...engine.readU32(out, count)].map((at) => at - from);
  });
}

it("finds every mark, and nothing else", () => {
  const byte = fc.oneof(fc.constantFrom(10, 13, 34, 44, 59, 9), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(byte, { maxLength: 200 }),
      fc.nat(15),
      (any, many, shift) => {
        for (const bytes of [any, Uint8Array.from(many)])
          for (const delimiter of [",", ";", "\t", "\0", "\x7f"])
            expect(found(bytes, delimiter, shift)).toEqual(marks(bytes, delimiter));
      },
    ),
    { seed: 31, numRuns: 500 },
  );
});

it("tells each byte from the marks, in every place", () => {
  for (let byte = 0; byte < 256; byte++)
    for (const place of [0, 7, 8, 15, 16, 63, 64, 127]) {
      const bytes = new Uint8Array(128).fill(65);
      bytes[place] = byte;
      expect(found(bytes, ";", 0)).toEqual(marks(bytes, ";"));
    }
});
