import fc from "fast-check";
import { expect, it } from "vitest";
import { textsStruct } from "../../src/files/record-writer.js";
import { instance } from "../engine.js";
import { cell } from "../reference/quotes.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** Texts as cells; the bytes after them stay as they are. */
function quoted(texts: readonly string[], delimiter: string, alone: boolean): string[] {
  exports.rewind(bottom);
  const struct = textsStruct(texts);
  const size = 2 * struct.length + 2 * texts.length;
  const out = engine.alloc(size);
  const end = exports.quoteTexts(engine.place(struct), texts.length, delimiter.charCodeAt(0), alone ? 1 : 0, out) >>> 0;
  expect(end - out).toBeLessThanOrEqual(size);
  const starts = engine.u32(out, texts.length + 1);
  expect(out + starts[texts.length]).toBe(end);
  return texts.map((_, at) => textOf(engine.u8(out, size).slice(starts[at], starts[at + 1])));
}

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", " ", "a", "é", "\uFEFF"), maxLength: 5 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  // One mark anywhere in a text longer than the lanes.
  fc.tuple(fc.nat(40), fc.nat(20), fc.constantFrom('"', "\n", "\r", ",", "b")).map(([before, after, mark]) => {
    return "a".repeat(before) + mark + "a".repeat(after);
  }),
);

it("quotes the cells that would not be read back unchanged, and no other", () => {
  const texts = fc.array(text, { maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.constantFrom(",", ";", "\t", " ", "#"), fc.boolean(), (given, delimiter, alone) => {
      expect(quoted(given, delimiter, alone)).toEqual(given.map((one) => cell(one, delimiter, alone)));
    }),
    { seed: 42, numRuns: 2000 },
  );
});

it("looks at no byte after a text", () => {
  expect(quoted(["a".repeat(15), ",", "a".repeat(17), '"', ""], ",", false)).toEqual([
    "a".repeat(15),
    '","',
    "a".repeat(17),
    '""""',
    "",
  ]);
});
