import { expect, it } from "vitest";
import { ByteDictionary } from "../../src/files/dictionary.js";
import { utf8 } from "./tables.js";

/** A dictionary that gives each new text the next number, and what it was asked. */
function numbering(limit: number) {
  const asked: string[] = [];
  const dictionary = new ByteDictionary((text) => asked.push(text), limit);
  const code = (text: string, hash: number) => dictionary.code(utf8(`${text}, and more`), utf8(text).length, hash);
  return { asked, code };
}

it("encodes a text once", () => {
  const { asked, code } = numbering(100);
  expect([code("é", 5), code("", -7), code("é", 5), code("", -7)]).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["é", ""]);
});

it("tells texts of one hash apart", () => {
  const { code } = numbering(100);
  const texts = ["ab", "a", "abc", "b", "", "ac"];
  for (let round = 0; round < 2; round++) expect(texts.map((text) => code(text, -1))).toEqual([1, 2, 3, 4, 5, 6]);
});

it("keeps what it knows while it grows", () => {
  const { asked, code } = numbering(5000);
  const texts = Array.from({ length: 3000 }, (_, at) => "x".repeat(at % 90) + at);
  const codes = () => texts.map((text, at) => code(text, Math.imul(at, 40503) >> 3));
  const first = codes();
  expect(codes()).toEqual(first);
  expect(asked).toEqual(texts);
});

it("remembers no more than its limit, and fewer texts where they are long", () => {
  const few = numbering(2);
  for (const text of ["a", "b", "c", "a", "b", "c"]) few.code(text, text.charCodeAt(0));
  expect(few.asked).toEqual(["a", "b", "c", "c"]);
  const long = numbering(2);
  for (const text of ["a".repeat(99), "b", "a".repeat(99), "b"]) long.code(text, text.length);
  expect(long.asked).toEqual(["a".repeat(99), "b", "b"]);
});
