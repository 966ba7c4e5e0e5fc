import { expect, it } from "vitest";
import { EXP_DIGITS, EXP_LEVELS } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { expOfMinus } from "../reference/exp-table.js";

it("holds e^−1 … e^−64 to the last of 192 bits", () => {
  const engine = instance();
  const digits = engine.u32(engine.exports.expTable() >>> 0, EXP_LEVELS * EXP_DIGITS);
  for (let level = 1; level <= EXP_LEVELS; level++) {
    const own = digits.subarray((level - 1) * EXP_DIGITS, level * EXP_DIGITS);
    const value = own.reduce((sum, digit) => (sum << 32n) | BigInt(digit), 0n);
    expect(value).toBe(expOfMinus(BigInt(level), 1n, 192n));
  }
});
