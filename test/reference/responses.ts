import { STREAM_RESPONSE } from "../../src/engine/layout.js";
import { below, word } from "./philox.js";

/** A query: the rows with all of these codes, [column, code], by ascending columns. */
export interface Asked {
  readonly weight: number;
  readonly literals: readonly (readonly [column: number, code: number])[];
}

export interface Sought {
  readonly sizes: readonly number[];
  readonly queries: readonly Asked[];
  readonly restarts: number;
  readonly scale: number;
  readonly seed: number;
  readonly round: number;
}

/** A record, and the sum of the weights of the queries that it satisfies and of its pulls, in f32. */
export interface Response {
  readonly codes: readonly number[];
  readonly worth: number;
}

const { fround } = Math;
const SLACK = fround(0.2);

/** The pulls of a record: for each column, one for each code. @param ln the logarithm */
export function pullsOf({ sizes, restarts, scale, seed, round }: Sought, record: number, ln = Math.log): number[][] {
  if (!scale) return sizes.map((size) => new Array<number>(size).fill(0));
  let at = record * wordsOf({ sizes, restarts, scale });
  return sizes.map((size) =>
    Array.from({ length: size }, () => fround(scale * ln((word(seed, STREAM_RESPONSE, round, at++) + 0.5) / 2 ** 32))),
  );
}

const wordsOf = ({ sizes, restarts, scale }: Pick<Sought, "sizes" | "restarts" | "scale">) =>
  (scale ? sizes.reduce((sum, size) => sum + size, 0) : 0) + restarts * (sizes.length + 1);

/** The best of several ascents, one column after the other, from codes of random queries. */
export function bestResponse(sought: Sought, record: number, ln = Math.log): Response {
  const { sizes, queries, restarts, seed, round } = sought;
  const pulls = pullsOf(sought, record, ln);
  const end = (record + 1) * wordsOf(sought);
  let best: Response = { codes: [], worth: -Infinity };
  for (let restart = 0; restart < restarts; restart++) {
    const first = end - (restart + 1) * (sizes.length + 1);
    const drawn = (at: number, bound: number) => below(bound, word(seed, STREAM_RESPONSE, round, first + at));
    const codes = sizes.map((size, column) => largest(pulls[column], drawn(column, size)));
    if (restart && queries.length)
      for (const [column, code] of queries[drawn(sizes.length, queries.length)].literals) codes[column] = code;
    for (let sweep = 0, isSettled = false; !isSettled && sweep < 40; sweep++) {
      const slack = sweep ? 0 : SLACK;
      isSettled = !slack;
      for (const column of sizes.keys()) {
        const gains = [...pulls[column]];
        for (const { weight, literals } of queries) {
          const own = literals.find(([at]) => at === column);
          if (!own) continue;
          const others = literals.filter(([at]) => at !== column);
          const factor = others.reduce(
            (product, [at, code]) => fround(product * (codes[at] === code ? 1 : slack)),
            weight,
          );
          gains[own[1]] = fround(gains[own[1]] + factor);
        }
        const chosen = largest(gains, codes[column]);
        if (chosen !== codes[column]) isSettled = false;
        codes[column] = chosen;
      }
    }
    const worth = worthOf(queries, pulls, codes);
    if (worth > best.worth) best = { codes, worth };
  }
  return best;
}

/** The sum of a record's pulls, then of the weights of the queries that it satisfies. */
export function worthOf(
  queries: readonly Asked[],
  pulls: readonly (readonly number[])[],
  codes: readonly number[],
): number {
  let sum = 0;
  for (const [column, code] of codes.entries()) sum = fround(sum + pulls[column][code]);
  for (const { weight, literals } of queries)
    if (literals.every(([column, code]) => codes[column] === code)) sum = fround(sum + weight);
  return sum;
}

/** The place of the largest number, the first of several, unless the one at `present` is as large. */
function largest(numbers: readonly number[], present: number): number {
  let place = present;
  for (const [at, number] of numbers.entries()) if (number > numbers[place]) place = at;
  return place;
}
