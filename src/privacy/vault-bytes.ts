// The memory that a vault takes, computed without one: plans report it, and have no handle to the vault.
import { BLOCK_ROWS, KEY_BYTES } from "../engine/layout.js";
import { cellsOf, type Query } from "../queries/query.js";
import { queryBytes } from "../queries/struct.js";
import type { Attribute } from "../schema/schema.js";
import { isQueryItem, type Ledger } from "./ledger.js";

/**
 * Engine bytes per row of a table with persons, while the rows to keep are being chosen: the person number, two
 * counters per person, and a mark.
 */
const PERSON_BYTES = 4 + 8 + 1;
/** The most bytes of padding per allocation. */
const PADDING = 16;

/**
 * The bytes of engine memory that a vault reserves for a table with this many rows, counted in one instance. An upper
 * bound, a few KiB above what is reserved.
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
  // Counts by code and by group, and the query twice.
  const counting = most(queries.map((query) => 2 * (bytesOf(query) + queryBytes(query, attributes) + PADDING)));
  const kept = candidates.reduce((sum, query) => sum + bytesOf(query), 0);
  // Scores, targets, the keys that the engine sorts by, and the picks twice, for at most all of the candidates.
  const selecting = (8 + 16 + 8) * candidates.length + most(candidates.map(bytesOf)) + 4 * PADDING;
  return KEY_BYTES + PADDING + Math.max(choosing, loaded + kept + Math.max(counting, selecting));
}
