// What a vault takes, known without one: plans say it, and have no handle to the vault.
import { BLOCK_ROWS, KEY_BYTES } from "../engine/layout.js";
import { cellsOf, type Query } from "../queries/query.js";
import { queryBytes } from "../queries/struct.js";
import type { Attribute } from "../schema/schema.js";
import { isQueryItem, type Ledger } from "./ledger.js";

/** Bytes of the engine for each row of a table of persons, while it is chosen which rows stay: number, two counters of a person, mark. */
const PERSON_BYTES = 4 + 8 + 1;
/** Most bytes that an allocation is padded by. */
const PADDING = 16;

/**
 * The bytes of engine memory that a vault reserves for a table of so many rows, counted in one instance. An upper bound, a few KiB above
 * what is reserved.
 */
export function vaultBytes(
  { unit, items, shown, candidates }: Pick<Ledger, "unit" | "items" | "shown" | "candidates">,
  attributes: readonly Attribute[],
  rows: number,
): number {
  const most = (bytes: readonly number[]) => bytes.reduce((largest, some) => Math.max(largest, some), 0);
  const choosing = unit === "row" || unit.column === undefined ? 0 : PERSON_BYTES * rows;
  const blocks = Math.ceil(rows / BLOCK_ROWS);
  const loaded = 2 * attributes.length * rows + blocks * (attributes.length * (4 + PADDING) + PADDING);
  const bytesOf = (query: Query) => 4 * cellsOf({ ...query, groups: undefined }, attributes) + PADDING;
  const queries = [...[...items, ...shown].filter(isQueryItem).map(({ query }) => query), ...candidates];
  // Counts by code and by groups, and the query twice.
  const counting = most(queries.map((query) => 2 * (bytesOf(query) + queryBytes(query, attributes) + PADDING)));
  const kept = candidates.reduce((sum, query) => sum + bytesOf(query), 0);
  // Scores, targets, what the engine sorts by, and the picks twice: all of the candidates at most.
  const selecting = (8 + 16 + 8) * candidates.length + most(candidates.map(bytesOf)) + 4 * PADDING;
  return KEY_BYTES + PADDING + Math.max(choosing, loaded + kept + Math.max(counting, selecting));
}
