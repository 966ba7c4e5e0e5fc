import type { Attribute } from "../src/domain/attribute.js";
import type { Instance } from "../src/engine/instance.js";
import * as layout from "../src/engine/layout.js";
import { queryOf } from "../src/queries/query.js";
import { writeQuery } from "../src/queries/struct.js";
import type { Claim, Facts } from "./reference/division.js";

/** Places an oracle's facts in an engine as a DIVISION. */
export function placeDivision(engine: Instance, facts: Facts): number {
  const trees = new Set(facts.oneWays.flatMap(({ columns, levels }) => (levels > 1 ? columns : [])));
  const attributes = facts.counts.map(
    (counts, column): Attribute => ({ name: "c", size: counts.length, tree: trees.has(column), missing: false }),
  );
  const division = new DataView(new ArrayBuffer(layout.DIVISION_BYTES));
  const u32 = (at: number, value: number) => division.setUint32(at, value, true);
  const f64 = (at: number, value: number) => division.setFloat64(at, value, true);
  u32(layout.DIVISION_COLUMNS, facts.counts.length);
  u32(layout.DIVISION_ONE_WAYS, facts.oneWays.length);
  u32(layout.DIVISION_TABLES, facts.tables.length);
  u32(layout.DIVISION_RANKS, facts.ranks.length);
  u32(layout.DIVISION_COUNTS_AT, engine.place(Uint32Array.from(facts.counts.flatMap((one) => countsOf(engine, one)))));
  u32(layout.DIVISION_ONE_WAYS_AT, claimsAt(engine, facts.oneWays, attributes));
  u32(layout.DIVISION_TABLES_AT, claimsAt(engine, facts.tables, attributes));
  const ranks = facts.ranks.flatMap(({ from, to, wrong }) => [from, to, wrong]);
  u32(layout.DIVISION_RANKS_AT, engine.place(Float64Array.from(ranks)));
  u32(layout.DIVISION_LEAST_GROUPS, facts.leastGroups);
  u32(layout.DIVISION_SCRATCH, engine.alloc(8 * facts.counts.length));
  f64(layout.DIVISION_UNIT, facts.unit);
  f64(layout.DIVISION_KNOWN, facts.known);
  f64(layout.DIVISION_ROWS, facts.rows);
  f64(layout.DIVISION_TIMES, facts.times);
  f64(layout.DIVISION_CANDIDATES, facts.candidates);
  f64(layout.DIVISION_ONE_WAYS_WEIGHT, facts.oneWaysWeight);
  f64(layout.DIVISION_FIXED_WEIGHT, facts.fixedWeight);
  f64(layout.DIVISION_CANDIDATE_WEIGHT, facts.candidateWeight);
  f64(layout.DIVISION_MOST_WRONG, facts.mostWrong);
  f64(layout.DIVISION_KEPT, facts.kept);
  f64(layout.DIVISION_LEAST_COUNT, facts.leastCount);
  f64(layout.DIVISION_MOST_NOISE, facts.mostNoise);
  return engine.place(new Uint8Array(division.buffer));
}

function countsOf(engine: Instance, counts: readonly number[]): [size: number, sums: number] {
  const ascending = Float64Array.from(counts).sort();
  const sums = [...ascending, 0];
  for (const count of ascending) sums.push(sums[sums.length - 1] + count);
  return [counts.length, engine.place(Float64Array.from(sums))];
}

function claimsAt(engine: Instance, claims: readonly Claim[], attributes: readonly Attribute[]): number {
  const bytes = new DataView(new ArrayBuffer(layout.CLAIM_BYTES * claims.length));
  for (const [index, { columns, open, weight, cost }] of claims.entries()) {
    const at = index * layout.CLAIM_BYTES;
    bytes.setUint32(at + layout.CLAIM_QUERY, writeQuery(engine, queryOf(columns, attributes), attributes), true);
    bytes.setUint32(at + layout.CLAIM_OPEN, +open, true);
    bytes.setFloat64(at + layout.CLAIM_WEIGHT, weight, true);
    bytes.setFloat64(at + layout.CLAIM_COST, cost, true);
  }
  return engine.place(new Uint8Array(bytes.buffer));
}
