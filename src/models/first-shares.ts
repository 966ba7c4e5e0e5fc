import type { Attribute } from "../domain/attribute.js";
import type { Measurement } from "../queries/measurement.js";
import { isColumnSet } from "../queries/query.js";
import { spreadWords } from "./drawn-codes.js";
import type { Observations } from "./model.js";
import { randomWords } from "./relaxed-rows.js";
import type { Lines } from "./smooth-queries.js";

/** What was measured of a single column, if it was. */
export const oneWayOf = (measurements: readonly Measurement[], column: number): Measurement | undefined =>
  measurements.find(({ query }) => isColumnSet(query) && `${query.columns}` === `${column}`);

/**
 * The shares that the first fit starts from. Each column is as its one-way says, if that was measured, or uniform:
 * numeric ones have values drawn from it, and others have half of its shares, and half of the share of one code drawn
 * from it, so that rows differ. (The paper starts from uniform values. A fit then has to bring most of them past the
 * thresholds of other queries, and leaves many behind where the real values are in a small part of the range.)
 * @param seed u32
 */
export function firstShares(
  attributes: readonly Attribute[],
  { starts, count }: Lines,
  rows: number,
  seed: number,
  { measurements, total }: Pick<Observations, "measurements" | "total">,
): Float32Array {
  const shares = new Float32Array(count * rows);
  for (const [column, attribute] of attributes.entries()) {
    const parts = partsOf(attribute, oneWayOf(measurements, column), total);
    const values = parts.length - Number(attribute.missing);
    const words = spreadWords(rows, randomWords(1, seed, 1 + column), column);
    for (const [row, word] of words.entries()) {
      const at = (line: number) => (starts[column] + line) * rows + row;
      let [cell, left] = [0, word / 2 ** 32];
      while (cell < parts.length - 1 && left >= parts[cell]) left -= parts[cell++];
      if (!attribute.ordered) {
        for (const [code, part] of parts.entries()) shares[at(code)] = (part + Number(code === cell)) / 2;
      } else if (cell === values) shares[at(2)] = 1;
      else {
        shares[at(0)] = Math.min(1, (cell + left / parts[cell]) / values);
        shares[at(1)] = 1 - shares[at(0)];
      }
    }
  }
  return shares;
}

/**
 * The parts of the rows in the finest cells of a one-way, which come last; equal ones where nothing is known. Those of
 * values are the nearest ones to the answers: raised to 0, the noise of empty cells would add up to many rows, and fits
 * hardly move values far. They easily move shares, and these must not be so close to the noise that a fit ends at once.
 */
function partsOf({ size, ordered }: Attribute, oneWay: Measurement | undefined, total: number): number[] {
  const answers = Array.from(oneWay?.answers.slice(-size) ?? [], (answer) => answer / total);
  const threshold = ordered ? nearestThreshold(answers) : 0;
  const parts = answers.map((answer) => Math.max(0, answer - threshold));
  const sum = parts.reduce((sum, part) => sum + part, 0);
  return sum ? parts.map((part) => part / sum) : new Array<number>(size).fill(1 / size);
}

/** What is taken off all numbers, down to 0, by the projection on those that add up to 1. */
function nearestThreshold(numbers: readonly number[]): number {
  let [threshold, sum] = [0, 0];
  for (const [at, number] of numbers.toSorted((a, b) => b - a).entries()) {
    sum += number;
    if (number <= (sum - 1) / (at + 1)) break;
    threshold = (sum - 1) / (at + 1);
  }
  return threshold;
}
