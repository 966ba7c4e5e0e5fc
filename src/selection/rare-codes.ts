import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";

/** A code is rare if its noisy count is below so many standard deviations of the noise. */
const DEVIATIONS = 3;

/**
 * Marginals in which rare codes of a column, of which there are at least two, are one cell. That follows from the noisy
 * one-ways, and costs nothing more.
 */
export function rareTogether(oneWays: readonly Measurement[]): (query: Query) => Query {
  const maps = new Map(oneWays.map(({ query, ...noisy }) => [query.columns[0], mapOf(noisy)]));
  return (query) => {
    const groups = query.columns.map((column) => maps.get(column) ?? null);
    return groups.some((map) => map) ? { ...query, groups } : query;
  };
}

/** The cell of each code; null where each is its own. */
function mapOf({ answers, sigma2 }: Omit<Measurement, "query">): number[] | null {
  const isRare = Array.from(answers, (answer) => answer < DEVIATIONS * Math.sqrt(sigma2));
  if (isRare.filter(Boolean).length < 2) return null;
  let cells = 0;
  let rare: number | undefined;
  return isRare.map((one) => {
    if (!one) return cells++;
    rare ??= cells++;
    return rare;
  });
}
