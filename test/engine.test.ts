import { expect, it } from "vitest";
import { instance } from "./engine.js";

it("reserves zeroed, aligned memory and wipes all of it", () => {
  const engine = instance();
  const first = engine.alloc(100_001);
  const second = engine.alloc(1);
  expect(first % 16).toBe(0);
  expect(second % 16).toBe(0);
  expect(second).toBeGreaterThanOrEqual(first + 100_001);
  engine.u8(first, 100_001).fill(7);
  engine.exports.rewind(first);
  expect(engine.u8(engine.alloc(100_001), 100_001).some(Boolean)).toBe(false);
  // What lies above a lower top was used as well.
  engine.u8(first, 100_001).fill(7);
  engine.exports.rewind(first);
  engine.alloc(10);
  engine.exports.rewind(first);
  expect(engine.u8(engine.alloc(200_000), 200_000).some(Boolean)).toBe(false);
  engine.u8(first, 100_001).fill(7);
  engine.exports.wipe();
  expect(engine.u8(first, 100_001).some(Boolean)).toBe(false);
});

it("refuses more than it can address, and what would end where pointers wrap, in the same words whatever the size", () => {
  const engine = instance();
  for (const bytes of [2 ** 33, 2 ** 32 - 16 - engine.exports.mark()])
    expect(() => engine.alloc(bytes)).toThrow(/no room for this: it can address 4 GiB/);
});
