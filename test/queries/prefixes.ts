// A class of queries as somebody might add it: the number of rows below each of some corners, in one or several
// columns. The corners are not a partition, so the sensitivity is that of free predicates.
import type { Query } from "../../src/queries/query.js";
import type { QueryClass } from "../../src/queries/query-class.js";

export interface Prefixes extends Query {
  /** For each prefix, a code for each column. Rows count if all their codes are less. */
  readonly corners: readonly (readonly number[])[];
}

export const prefixes: QueryClass<Prefixes> = {
  kind: "prefixes",
  number: 99,
  isColumnSet: false,
  structure: ({ corners }) => ({ partitions: [], free: corners.length }),
  canHave: (partitions, free) => partitions === 0 && Number.isSafeInteger(free) && Number(free) >= 1,
  json: ({ corners }) => ({ corners }),
  parse({ corners }, columns, { attributes }) {
    const isCorner = (corner: unknown) =>
      Array.isArray(corner) &&
      corner.length === columns.length &&
      corner.every((code, at) => Number.isInteger(code) && code >= 0 && code <= attributes[columns[at]].size);
    if (!columns.length || !Array.isArray(corners) || !corners.length || !corners.every(isCorner))
      return "whose corners are not codes of its columns";
    return { kind: "prefixes", columns, corners };
  },
  encode: ({ corners }) => [corners.length, ...corners.flat()],
};
