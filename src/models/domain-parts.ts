import type { Attribute } from "../domain/attribute.js";
import type { Query } from "../queries/query.js";

/** Columns that queries connect, ascending, and the number of combinations of their codes. */
export interface DomainPart {
  readonly columns: readonly number[];
  readonly points: number;
}

/**
 * The parts of a domain that queries connect: two columns are in one part if a query has both, or if other columns lead
 * from one to the other. Columns of no query are parts of their own. Updates by answers to these queries leave the
 * parts independent of one another.
 */
export function domainParts(attributes: readonly Attribute[], queries: readonly Query[]): DomainPart[] {
  const partOf = attributes.map((_, column) => [column]);
  for (const { columns } of queries)
    for (const column of columns.slice(1)) {
      const [one, other] = [partOf[columns[0]], partOf[column]];
      if (one === other) continue;
      one.push(...other);
      for (const moved of other) partOf[moved] = one;
    }
  return [...new Set(partOf)].map((part) => {
    const columns = [...part].sort((a, b) => a - b);
    return { columns, points: columns.reduce((product, column) => product * attributes[column].size, 1) };
  });
}
