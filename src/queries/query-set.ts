// What classes of sets of queries share: how they ask for some of the members of a set.
import type { Query } from "./query.js";
import type { Members } from "./query-class.js";

/** A query that is a set of `count` queries, numbered from 0 on. */
interface QuerySet extends Query {
  readonly count: number;
}

/** How many members a set asks for. */
export const askedIn = ({ numbers, count }: QuerySet): number => numbers?.length ?? count;

/** How a class asks for some members of its sets. */
export const membersOf = <Q extends QuerySet>(): Members<Q> => ({
  count: askedIn,
  only: (query, numbers) => ({ ...query, numbers }),
  whole: ({ numbers: _, ...query }) => query as unknown as Q,
});

/** Whether what is stated asks for members of a set of `count`: all of them, or at least one, in ascending order. */
export function areMembers(stated: unknown, count: number): stated is readonly number[] | undefined {
  if (stated === undefined) return true;
  const follows = (number: unknown, at: number, all: readonly unknown[]) =>
    Number.isInteger(number) && Number(number) > (at > 0 ? Number(all[at - 1]) : -1) && Number(number) < count;
  return Array.isArray(stated) && stated.length > 0 && stated.every(follows);
}
