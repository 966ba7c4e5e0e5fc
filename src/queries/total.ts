import { KIND_TABLE } from "../engine/layout.js";
import { NOT_GROUPS, NOT_ITS_COLUMNS } from "./column-set.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";

/** The number of rows: a partition with a single cell. */
export const total: QueryClass = {
  kind: "total",
  number: KIND_TABLE,
  isColumnSet: true,
  structure: () => ({ partitions: [{ shape: [], isWhole: true }], free: 0 }),
  canHave: () => false, // a total is never chosen
  json: () => ({}),
  parse({ groups }, columns) {
    if (groups !== undefined) return NOT_GROUPS;
    return columns.length ? NOT_ITS_COLUMNS : TOTAL;
  },
  encode: () => [],
};

export const TOTAL: Query = { kind: "total", columns: [] };
