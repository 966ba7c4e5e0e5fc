// What classes of sets of queries share: how they ask for some of the members of a set.
import type { Query } from "./query.js";
import type { Members, QueryJson } from "./query-class.js";

/** A query that is a set of `count` queries, numbered from 0 on. */
interface QuerySet extends Query {
  readonly count: number;
}

/** How many members a set asks for. */
export const askedIn = ({ numbers, count }: QuerySet): number => numbers?.length ?? count;

/** The whole set that a query asks for members of. */
const wholeOf = <Q extends QuerySet>({ numbers: _, ...set }: Q): Q => set as unknown as Q;

/** The query that asks for these members of a set; for all of them, it is the set. */
export const someOf = <Q extends QuerySet>(set: Q, numbers?: readonly number[]): Q =>
  numbers && numbers.length < set.count ? { ...set, numbers } : wholeOf(set);

/** How a class asks for some members of its sets. */
export const membersOf = <Q extends QuerySet>(): Members<Q> => ({ count: askedIn, only: someOf, whole: wholeOf });

/** The most members of a set. */
export const MOST_COUNT = 1_000_000;

/** What is wrong, worded to follow "an item": what goes with the first of these conditions that does not hold. */
export const firstBroken = (...conditions: readonly (readonly [holds: boolean, wrong: string])[]): string | undefined =>
  conditions.find(([holds]) => !holds)?.[1];

/**
 * What is wrong with the drawing of a random set, worded to follow "an item", if anything is.
 * @param flags what is stated of each member that is true or false
 */
export function wrongDrawing(stated: QueryJson, flags: Readonly<Record<string, unknown>>): string | undefined {
  const { count, seed, side = "below", numbers } = stated;
  const odd = Object.keys(flags).find((name) => typeof flags[name] !== "boolean");
  return firstBroken(
    [isIn(count, 1, MOST_COUNT), "whose count is not a whole number from 1 to 1,000,000"],
    [isIn(seed, 0, 2 ** 32 - 1), "whose seed is not a whole number from 0 to 4,294,967,295"],
    [side === "below" || side === "above", 'whose side is neither "below" nor "above"'],
    [odd === undefined, `whose member "${odd}" is neither true nor false`],
    [areMembers(numbers, Number(count)), "whose numbers are not some of those from 0 to below its count, ascending"],
  );
}

/** Whether something is a whole number in a range. */
export const isIn = (number: unknown, least: number, most: number): boolean =>
  Number.isInteger(number) && Number(number) >= least && Number(number) <= most;

/** Whether what is stated asks for members of a set of `count`: all of them, or at least one, in ascending order. */
export function areMembers(stated: unknown, count: number): stated is readonly number[] | undefined {
  if (stated === undefined) return true;
  const follows = (number: unknown, at: number, all: readonly unknown[]) =>
    Number.isInteger(number) && Number(number) > (at > 0 ? Number(all[at - 1]) : -1) && Number(number) < count;
  return Array.isArray(stated) && stated.length > 0 && Array.from(stated).every(follows);
}
