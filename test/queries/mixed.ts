// Queries of all kinds over the columns of one schema, and rows.
import { codesOf } from "../../src/domain/attribute.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { cellsIn, cellsOf, type Query, queryOf, shapesOf } from "../../src/queries/query.js";
import type { Side } from "../../src/queries/ranges.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { SCHEMA } from "../random-expressions.js";
import { integers } from "../random-tables.js";
import { uniforms } from "../reference/statistics.js";

export const { attributes: ATTRIBUTES } = SCHEMA;

const columns = ["kind", "smokes", "pay"];
const set = { query: "random-half-spaces", columns, count: 300, seed: 1 } as const;
const boxes = Array.from({ length: 200 }, (_, at): Side[] => [null, [0, (at + 1) * 2 ** 24]]);

export const QUERIES: readonly Query[] = [
  { kind: "total", columns: [] },
  queryOf([2, 4], ATTRIBUTES),
  queryOf([3, 7], ATTRIBUTES),
  { ...queryOf([2, 3], ATTRIBUTES), groups: [null, [0, 0, 1]] },
  ...workloadQueries(
    [
      { ...set, side: "above", labels: ["smokes"] },
      { expressions: ["pay > 30", 'kind == "x" and smokes'] },
      { query: "ranges", columns: ["smokes", "pay"], boxes },
      { ...set, labels: ["kind"], each: true, numbers: [0, 31, 32, 299] },
    ],
    SCHEMA,
  ),
];

/** Rows of uniform codes. */
export function uniformRows(rows: number): Uint16Array[] {
  const uniform = uniforms(2);
  return ATTRIBUTES.map((one) => Uint16Array.from({ length: rows }, () => Math.floor(codesOf(one) * uniform())));
}

/** Measurements of the queries, with any answers. */
export const MEASUREMENTS: readonly Measurement[] = QUERIES.map((query, at) => {
  const cells = query.groups ? cellsIn(shapesOf(query, ATTRIBUTES)[0]) : cellsOf(query, ATTRIBUTES);
  return { query, answers: integers(cells, 30, at), sigma2: 1 };
});
