// Numbers of 32 bits for tests of kernels, and how near they must come to what oracles say.
import { expect } from "vitest";
import { fingerprint } from "../src/core/fingerprint.js";
import { uniforms } from "./reference/statistics.js";

/** Half of the distance from 1 to the next number of 32 bits. */
const ROUNDING = 2 ** -24;

/** Numbers from −1 to 1. */
export function randomFloats(count: number, seed: number): Float32Array {
  const uniform = uniforms(seed);
  return Float32Array.from({ length: count }, () => 2 * uniform() - 1);
}

/** Of the numbers' bits. */
export const fingerprintOf = (numbers: Float32Array): string => fingerprint([new Uint16Array(numbers.buffer)]);

/**
 * Expects each number to be as near to the wanted one as so many roundings of numbers of its size leave it.
 * @param sizes of what was added up for it; by default its own
 */
export function expectNear(
  found: ArrayLike<number>,
  wanted: ArrayLike<number>,
  roundings: number,
  sizes: ArrayLike<number> = wanted,
): void {
  expect(found.length).toBe(wanted.length);
  const far = Array.from(wanted, (number, at) => {
    const most = roundings * ROUNDING * Math.abs(sizes[at]) + Number.MIN_VALUE;
    return Math.abs(found[at] - number) <= most ? [] : [{ at, found: found[at], wanted: number, most }];
  });
  expect(far.flat().slice(0, 3)).toEqual([]);
}
