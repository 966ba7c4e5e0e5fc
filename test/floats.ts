// Numbers of 32 bits for tests of kernels, and how near they must come to what oracles say.
import { expect } from "vitest";
import { fingerprint } from "../src/core/fingerprint.js";
import type { Floats, Kernels } from "../src/core/kernels.js";
import { openWasmKernels } from "../src/gradient/wasm-kernels.js";
import { uniforms } from "./reference/statistics.js";

/** Half of the distance from 1 to the next number of 32 bits. */
const ROUNDING = 2 ** -24;
/** Engines may take smaller numbers for 0. */
const LEAST = 2 ** -120;

/** Numbers from −most to most. */
export function randomFloats(count: number, seed: number, most = 1): Float32Array {
  const uniform = uniforms(seed);
  return Float32Array.from({ length: count }, () => (2 * uniform() - 1) * most);
}

/** Whole numbers below `below`. */
export function randomIndices(count: number, below: number, seed: number): number[] {
  const uniform = uniforms(seed);
  return Array.from({ length: count }, () => Math.floor(uniform() * below));
}

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
    const most = roundings * ROUNDING * Math.abs(sizes[at]) + LEAST;
    return Math.abs(found[at] - number) <= most ? [] : [{ at, found: found[at], wanted: number, most }];
  });
  expect(far.flat().slice(0, 3)).toEqual([]);
}

/** Expects a gradient to be how a function of numbers changes. */
export function expectSlopes(
  gradient: readonly number[],
  value: (numbers: readonly number[]) => number,
  numbers: readonly number[],
): void {
  const step = 1e-5;
  const change = (at: number, by: number) => value(numbers.with(at, numbers[at] + by));
  const slopes = numbers.map((_, at) => (change(at, step) - change(at, -step)) / (2 * step));
  expect(gradient.length).toBe(slopes.length);
  expect(Math.max(0, ...slopes.map((slope, at) => Math.abs(slope - gradient[at])))).toBeLessThan(1e-7);
}

/** Σ a·b, as the loss whose slopes at `a` are `b`. */
export const weighted = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, number, at) => sum + number * b[at], 0);

/** a + b, number by number. */
export const plus = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from(a, (number, at) => number + b[at]);

/** The sizes of numbers. */
export const sizesOf = (numbers: ArrayLike<number>): number[] => Array.from(numbers, Math.abs);

/** What a job leaves in arrays of the engine. */
export function leftBy(job: (kernels: Kernels) => readonly Floats[]): Promise<Float32Array[]> {
  const kernels = openWasmKernels();
  return Promise.all(job(kernels).map((array) => kernels.read(array)));
}

/** A fingerprint of its bits. */
export async function bitsOf(job: (kernels: Kernels) => readonly Floats[]): Promise<string> {
  return fingerprint((await leftBy(job)).map(({ buffer }) => new Uint16Array(buffer)));
}
