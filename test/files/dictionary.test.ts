import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteDictionary, keyOf } from "../../src/files/dictionary.js";
import { RecordParser } from "../../src/files/parser.js";
import { utf8 } from "./tables.js";

/** A dictionary that gives each new text the next number, and the texts that it was asked for. */
function numbering(limit: number) {
  const asked: string[] = [];
  const dictionary = new ByteDictionary((text) => asked.push(text), limit);
  /** The numbers of texts that are every `stride`-th cell of a record, starting with cell `first`. */
  const codes = (texts: readonly string[], first = 0, stride = 1): number[] => {
    const cells = texts.flatMap((text) => [text, ...Array<string>(stride - 1).fill("between")]);
    const record = [...Array<string>(first).fill("before"), ...cells].map((text) => `"${text}"`).join(",");
    const found = new Uint32Array(texts.length + 2);
    const parser = new RecordParser(",", {
      take: (taken) => dictionary.read(taken, first, stride, found, 1, texts.length + 1),
    });
    parser.push(utf8(`${record}\n`));
    expect([found[0], found.at(-1)]).toEqual([0, 0]);
    return [...found.subarray(1, texts.length + 1)];
  };
  return { asked, codes };
}

const hash = (text: string) => keyOf(new DataView(utf8(text).buffer), 0, text.length);

it("encodes a text once", () => {
  const { asked, codes } = numbering(100);
  expect(codes(["é", "", "é", ""])).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["é", ""]);
});

it("takes every third cell", () => {
  const { asked, codes } = numbering(100);
  expect(codes(["x", "y", "x"], 2, 3)).toEqual([1, 2, 1]);
  expect(asked).toEqual(["x", "y"]);
});

it("distinguishes texts by their bytes and length alone", () => {
  const short = fc.string({ unit: fc.constantFrom("\0", "a", "b", "é", "\u0100"), maxLength: 10 });
  fc.assert(
    fc.property(fc.array(short, { minLength: 1, maxLength: 60 }), (texts) => {
      const { asked, codes } = numbering(1000);
      const expected = texts.map((text) => 1 + [...new Set(texts)].indexOf(text));
      expect(codes(texts)).toEqual(expected);
      expect(codes(texts)).toEqual(expected);
      expect(asked).toEqual([...new Set(texts)]);
    }),
    { seed: 21, numRuns: 1000 },
  );
});

it("keeps its entries while it grows", () => {
  const { asked, codes } = numbering(5000);
  const texts = Array.from({ length: 3000 }, (_, at) => "x".repeat(at % 90) + at);
  const first = codes(texts);
  expect(codes(texts)).toEqual(first);
  expect(asked).toEqual(texts);
});

it.each([
  ["at their end", "    JDEJ", "    j71S"],
  ["before their end", "z14ysame", "zrpmsame"],
  ["in their length", "abcde", "abcdbcde"],
])("distinguishes two texts with the same hash that differ %s", (_, one, other) => {
  expect(hash(one)).toBe(hash(other));
  expect(numbering(100).codes([one, other, one, other])).toEqual([1, 2, 1, 2]);
});

it("remembers no more than its limit, and fewer texts if they are long", () => {
  const few = numbering(2);
  few.codes(["a", "b", "c", "a", "b", "c"]);
  expect(few.asked).toEqual(["a", "b", "c", "c"]);
  const long = numbering(2);
  long.codes(["a".repeat(99), "b", "a".repeat(99), "b"]);
  expect(long.asked).toEqual(["a".repeat(99), "b", "b"]);
});
