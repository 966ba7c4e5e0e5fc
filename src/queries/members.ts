// Sets of queries, whose members are asked for, chosen and measured one by one, and searched together.
import { classOf, keyOf, type Query } from "./query.js";

/** How many queries a query stands for where rounds choose: the members of a set that it asks for, or itself. */
export const countOf = (query: Query): number => classOf(query).members?.count(query) ?? 1;

/** Some of the queries that a query stands for. @param places their places among them, ascending from 0 on */
export function membersAt(query: Query, places: readonly number[]): Query {
  const { numbers } = query;
  return classOf(query).members?.only(query, numbers ? places.map((place) => numbers[place]) : places) ?? query;
}

/** Answers to a query, and the variance of the noise on each. */
export interface NoisyAnswers {
  readonly query: Query;
  readonly answers: Float64Array;
  readonly sigma2: number;
}

/**
 * The answers of all members of a set as those of one query, in the place of the first: one large query takes a search
 * less time than many small ones. A member that was measured more than once has the mean of its answers, weighted by
 * their precision.
 */
export function withMergedMembers<T extends NoisyAnswers>(measured: readonly T[]): T[] {
  const sets = new Map<string, T[]>();
  const lists = measured.flatMap((one) => {
    const { members } = classOf(one.query);
    if (!members) return [[one]];
    const key = keyOf(members.whole(one.query));
    const others = sets.get(key);
    if (others) {
      others.push(one);
      return [];
    }
    const list = [one];
    sets.set(key, list);
    return [list];
  });
  return lists.map((list) => (list.length > 1 ? merged(list) : list[0]));
}

function merged<T extends NoisyAnswers>(list: readonly T[]): T {
  const [first] = list;
  const cells = first.answers.length / countOf(first.query);
  const numbersOf = (query: Query) => query.numbers ?? Array.from({ length: countOf(query) }, (_, number) => number);
  const numbers = [...new Set(list.flatMap(({ query }) => numbersOf(query)))].sort((a, b) => a - b);
  const places = new Map(numbers.map((number, place) => [number, place]));
  const answers = new Float64Array(cells * numbers.length);
  const precisions = new Float64Array(numbers.length);
  for (const { query, answers: own, sigma2 } of list)
    for (const [at, number] of numbersOf(query).entries()) {
      const place = places.get(number)!;
      precisions[place] += 1 / sigma2;
      const part = 1 / sigma2 / precisions[place];
      for (let to = place * cells, from = at * cells; from < (at + 1) * cells; to++, from++)
        answers[to] += (own[from] - answers[to]) * part;
    }
  return { ...first, query: classOf(first.query).members!.only(first.query, numbers), answers };
}
