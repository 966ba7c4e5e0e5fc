import fc from "fast-check";
import { expect, it } from "vitest";
import { textOf, utf8Of } from "../../src/core/utf8.js";

const byte = fc.oneof(
  fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xbb, 0xbf, 0xf0, 0xf4, 0xff),
  fc.nat(255),
);

it("reads and writes bytes as the runtime does", () => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 30 }), fc.string({ unit: "binary", maxLength: 20 }), (bytes, text) => {
      expect(textOf(Uint8Array.from(bytes))).toBe(decoder.decode(Uint8Array.from(bytes)));
      expect(utf8Of(text)).toEqual(new TextEncoder().encode(text));
    }),
    { seed: 1, numRuns: 5000 },
  );
});

it("takes long texts, and halves of characters", () => {
  const long = "aé☂😀".repeat(10_000);
  expect(textOf(utf8Of(long))).toBe(long);
  expect(utf8Of("a\ud800b\udc00")).toEqual(new TextEncoder().encode("a\ud800b\udc00"));
});
