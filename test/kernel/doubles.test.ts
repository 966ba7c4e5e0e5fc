import { expect, it } from "vitest";
import { DOUBLE_BYTES, POWERS_BYTES } from "../../src/engine/layout.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { fieldOf } from "../random-notations.js";
import { plainText } from "../reference/doubles.js";
import { uniforms } from "../reference/statistics.js";
import { textOf } from "../utf8.js";

const engine = instance();
const { exports } = engine;
const powers = engine.alloc(POWERS_BYTES);
exports.placePowers(powers);
const out = engine.alloc(DOUBLE_BYTES);

function written(number: number, notation = 0): string {
  const end = exports.writeDouble(powers, number, notation, out) >>> 0;
  return textOf(engine.u8(out, end - out));
}

/** Compares texts with those of JavaScript. */
function compare(numbers: Iterable<number>): void {
  const wrong: [number, string][] = [];
  for (const number of numbers) {
    const text = written(number);
    if (text !== plainText(number)) wrong.push([number, text]);
  }
  expect(wrong).toEqual([]);
}

const view = new DataView(new ArrayBuffer(8));
function double(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

it("writes doubles of every exponent, next to the powers of two", () => {
  const numbers = Array.from({ length: 2047 }, (_, exponent) =>
    [-2n, -1n, 0n, 1n, 2n, 3n].map((by) => double(BigInt.asUintN(63, (BigInt(exponent) << 52n) + by))),
  ).flat();
  const finite = numbers.filter(Number.isFinite);
  compare(finite);
  compare(finite.map((number) => -number));
});

it("writes random doubles, and the shortest, the smallest and the most common ones", () => {
  const uniform = uniforms(7);
  const random = Array.from({ length: 50_000 }, () => {
    const halves = [uniform(), uniform()].map((part) => BigInt(Math.floor(part * 2 ** 32)));
    return double((halves[0] << 32n) | halves[1]);
  });
  compare(random.filter(Number.isFinite));
  const places = Array.from({ length: 50_000 }, (_, at) => Number((uniform() * 10 ** (at % 7)).toFixed(at % 17)));
  compare(places);
  compare(Array.from({ length: 20_000 }, (_, at) => Number(`${at}e${(at % 640) - 325}`)).filter(Number.isFinite));
  compare(Array.from({ length: 5000 }, (_, at) => at * 5e-324));
  compare(Array.from({ length: 10_000 }, (_, at) => at * 0.1));
  compare(Array.from({ length: 10_000 }, () => Math.floor(uniform() * 2 ** 64)));
});

it("writes doubles that are as far from a decimal text as from the next", () => {
  // Numbers half-way between two texts, and those that need all of their 17 digits.
  const hard = [2 ** 53, 5e-324, 1e23, 2 ** 53 + 2, 2 ** 70, 9.5367431640625e-7, 1.7976931348623157e308];
  const known = [2.2250738585072014e-308, 2.225073858507201e-308, 4.35e-322, 0.30000000000000004, 123456789012345680];
  compare([...hard, ...known, 1e15, 1e15 + 0.5, 999999999999999.9, 99999999999.9999, 1e21, 1e22, 123e-7]);
});

it("writes no sign of 0, and infinite numbers as words", () => {
  expect([0, -0, -1.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((number) => written(number))).toEqual([
    ...["0", "0", "-1.5", "inf", "-inf"],
  ]);
  expect(Math.max(...[5e-324, -5e-324, -1.1125369292536007e-308].map((number) => written(number).length))).toBeLessThan(
    DOUBLE_BYTES,
  );
});

it("takes the decimal mark of numbers, and of nothing else", () => {
  const structOf = (given: Record<string, unknown>) => {
    const { notation, domain } = fieldOf(given)!.field;
    return engine.place(notationStruct(notation.spelling, domain));
  };
  const bounds = { minimum: 0, maximum: 9 };
  const commas = structOf({ type: "number", decimalChar: ",", groupChar: ".", constraints: bounds });
  const wide = structOf({ type: "number", decimalChar: "٫", constraints: bounds });
  const dates = structOf({ type: "date", constraints: { minimum: "2024-01-01", maximum: "2024-12-31" } });
  for (const number of [-1234.5, 0.001, 1e-7, 0.1 + 0.2, 12]) {
    expect(written(number, commas)).toBe(plainText(number, ","));
    expect(written(number, wide)).toBe(plainText(number, "٫"));
    expect(written(number, dates)).toBe(plainText(number));
  }
});
