import { expect, it } from "vitest";
import { utf8 } from "../../src/core/utf8.js";

it("writes every code point as the platform does, also halves of surrogate pairs", () => {
  for (let point = 0; point <= 0x10ffff; point += point < 0x12000 ? 1 : 0xff) {
    const text = String.fromCodePoint(point);
    const expected = new TextEncoder().encode(text);
    if (utf8(text).join() !== expected.join()) throw new Error(`U+${point.toString(16)} is written otherwise.`);
  }
  expect(utf8("aé€😀\ud83d")).toEqual([...new TextEncoder().encode("aé€😀\ud83d")]);
});
