import type { Attribute } from "../../src/domain/attribute.js";
import {
  HALF_SPACES_COORDINATES,
  HALF_SPACES_LABEL_CODES,
  HALF_SPACES_LABELS,
  HALF_SPACES_THRESHOLDS,
  STREAM_HALF_SPACES,
} from "../../src/engine/layout.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import { below, block } from "./philox.js";
import { chiSquareTail, firstWhere } from "./statistics.js";
import { codesIn } from "./tree.js";

/** |x| of a normal x that is larger in magnitude with probability 2^−j·(1 − i/32), in units of 2^−13: at 16j + i. */
const KNOTS = Array.from({ length: 225 }, (_, knot) => {
  const tail = 2 ** -Math.floor(knot / 16) * (1 - (knot % 16) / 32);
  return Math.min(4 * 2 ** 13, Math.round(2 ** 13 * firstWhere(0, 8, (x) => chiSquareTail(x * x, 1) <= tail)));
});

/** The normal of half a word, in units of 2^−24. */
export function normalOf(half: number): number {
  const tail = (2 * (half % 2 ** 15) + 1) / 2 ** 16;
  const octave = Math.floor(-Math.log2(tail));
  const place = 16 * octave + 32 * (1 - tail * 2 ** octave);
  const [from, to] = [KNOTS[Math.floor(place)] ?? 2 ** 15, KNOTS[Math.floor(place) + 1] ?? 2 ** 15];
  const magnitude = 2 ** 11 * (from + (to - from) * (place % 1));
  return half < 2 ** 15 ? magnitude : -magnitude;
}

/** A normal in units of 2^−24 times a factor in units of 2^−16, rounded, half away from zero. */
function scaled(normal: number, factor: number): number {
  const product = (BigInt(Math.abs(normal)) * BigInt(factor) + 2n ** 39n) >> 40n;
  return Math.sign(normal) * Number(product);
}

/** 2^s and what the normals of d columns' coordinates are multiplied by, in units of 2^−16. */
export function factorsOf(d: number): { threshold: number; direction: number } {
  for (let s = 15; ; s--) {
    const direction = Math.floor(2 ** (s + 16) / Math.sqrt(d));
    if (d * scaled(2 ** 26, direction) + 4 * 2 ** s + 1 < 2 ** 15) return { threshold: 2 ** (s + 16), direction };
  }
}

const blocks = new Map<string, number[]>();

/** A word of a stream; blocks are remembered. */
function word(seed: number, id: number, index: number): number {
  const key = `${seed} ${id} ${index >> 2}`;
  const found = blocks.get(key) ?? block(seed, STREAM_HALF_SPACES, id, index >> 2);
  blocks.set(key, found);
  return found[index % 4];
}

const halfOf = (seed: number, id: number, number: number) =>
  Math.floor(word(seed, id, number >> 1) / 2 ** (16 * (number % 2))) % 2 ** 16;

const isLabel = (query: RandomHalfSpaces, { name }: Attribute) => query.labels.includes(name);

/** How many coordinates a column has. */
function coordinatesOf(query: RandomHalfSpaces, attribute: Attribute): number {
  if (isLabel(query, attribute)) return 0;
  return attribute.ordered ? 1 + Number(attribute.missing) : attribute.size;
}

/** What a row's code adds to the sum: the coordinate of the column, and its value in units of 2^−15. */
function entryOf(attribute: Attribute, code: number): [coordinate: number, value: number] {
  if (!attribute.ordered) return [code, 2 ** 15];
  const values = codesIn(attribute) - Number(attribute.missing);
  return code === values ? [1, 2 ** 15] : [0, Math.floor((code * 2 ** 15) / values)];
}

/** The members' numbers in the set. */
export const numbersOf = ({ count, numbers }: RandomHalfSpaces): readonly number[] =>
  numbers ?? Array.from({ length: count }, (_, number) => number);

/** A member: its threshold, its direction, and the label that it asks for. */
export function memberOf(query: RandomHalfSpaces, attributes: readonly Attribute[], number: number) {
  const { columns, seed, each } = query;
  const axes = columns.map((column) => attributes[column]);
  const { threshold, direction } = factorsOf(axes.filter((axis) => !isLabel(query, axis)).length);
  const coordinates = axes.reduce((sum, axis) => sum + coordinatesOf(query, axis), 0);
  const labels = columns.filter((column) => isLabel(query, attributes[column]));
  const column = labels[below(labels.length, word(seed, HALF_SPACES_LABELS, number))];
  return {
    threshold: scaled(normalOf(halfOf(seed, HALF_SPACES_THRESHOLDS, number)), threshold),
    direction: Array.from({ length: coordinates }, (_, at) =>
      scaled(normalOf(halfOf(seed, HALF_SPACES_COORDINATES + at, number)), direction),
    ),
    label:
      labels.length && !each
        ? { column, code: below(attributes[column].size, word(seed, HALF_SPACES_LABEL_CODES, number)) }
        : undefined,
  };
}

/** The answers by definition: for each member, the rows on its side, by the labels' codes or with its label. */
export function halfSpacesAnswers(
  query: RandomHalfSpaces,
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
): Int32Array {
  const { columns, each, side, strict } = query;
  const divided = columns.filter((column) => each && isLabel(query, attributes[column]));
  const cells = divided.reduce((product, column) => product * attributes[column].size, 1);
  const numbers = numbersOf(query);
  const out = new Int32Array(numbers.length * cells);
  for (const [at, number] of numbers.entries()) {
    const { threshold, direction, label } = memberOf(query, attributes, number);
    for (let row = 0; row < codes[0].length; row++) {
      let [sum, before] = [0, 0];
      for (const column of columns) {
        if (isLabel(query, attributes[column])) continue;
        const [coordinate, value] = entryOf(attributes[column], codes[column][row]);
        sum += Math.floor((direction[before + coordinate] * value + 2 ** 14) / 2 ** 15);
        before += coordinatesOf(query, attributes[column]);
      }
      const isOnSide = sum === threshold ? !strict : sum < threshold === (side === "below");
      if (!isOnSide || (label && codes[label.column][row] !== label.code)) continue;
      out[at * cells + divided.reduce((cell, column) => cell * attributes[column].size + codes[column][row], 0)]++;
    }
  }
  return out;
}
