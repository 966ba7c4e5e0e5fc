// What classes of sets of queries share: how they ask for some of the members of a set.
import type { Query } from "./query.js";
import type { Members } from "./query-class.js";

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

/** Whether what is stated asks for members of a set of `count`: all of them, or at least one, in ascending order. */
export function areMembers(stated: unknown, count: number): stated is readonly number[] | undefined {
  if (stated === undefined) return true;
  const follows = (number: unknown, at: number, all: readonly unknown[]) =>
    Number.isInteger(number) && Number(number) > (at > 0 ? Number(all[at - 1]) : -1) && Number(number) < count;
  return Array.isArray(stated) && stated.length > 0 && Array.from(stated).every(follows);
}
