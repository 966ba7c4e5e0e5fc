import fc from "fast-check";
import { expect, it } from "vitest";
import { idStruct } from "../../src/files/record-writer.js";
import { instance } from "../engine.js";
import { id } from "../reference/ids.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function written(text: string, base: 10 | 16, number: number): string {
  exports.rewind(bottom);
  const pointer = engine.place(idStruct(text, base));
  const out = engine.alloc(4 * text.length + 40);
  const end = exports.writeId(pointer, BigInt(number), out) >>> 0;
  return textOf(engine.u8(out, end - out));
}

it("puts a number's digits in their places, zeros before them, and further digits before the first", () => {
  const text = fc
    .array(fc.constantFrom("#", "a", "0", "é", '"', "𝄞", "\uFEFF"), { maxLength: 12 })
    .chain((some) => fc.nat(12).map((at) => some.toSpliced(at, 0, "#").join("")));
  fc.assert(
    fc.property(text, fc.constantFrom(10 as const, 16 as const), fc.maxSafeNat(), (given, base, number) => {
      for (const value of [number, number % 1000, 0, 2 ** 53])
        expect(written(given, base, value)).toBe(id(given, base, value));
    }),
    { seed: 41, numRuns: 500 },
  );
});

it("puts further digits before the first place, with the text after it unchanged", () => {
  expect(written("P-##-##", 10, 123_456)).toBe("P-1234-56");
  expect(written("P-##-##", 10, 7)).toBe("P-00-07");
  expect(written("x".repeat(3) + "#".repeat(3000), 16, 255)).toBe(`xxx${"0".repeat(2998)}ff`);
});
