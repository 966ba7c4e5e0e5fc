import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { writeQueries } from "../queries/struct.js";
import { isQueryItem, type Ledger } from "./ledger.js";

/**
 * The most engine memory in bytes that a vault takes for a table of so many rows, counted in one instance. Plans state
 * it, and have no handle to the vault.
 */
export function vaultBytes(
  { unit, items, shown, candidates }: Pick<Ledger, "unit" | "items" | "shown" | "candidates">,
  attributes: readonly Attribute[],
  rows: number,
): number {
  const measured = [...items, ...shown].filter(isQueryItem).map(({ query }) => ({ ...query, groups: undefined }));
  const queries = [...measured, ...candidates];
  const instance = new Instance();
  const structs = writeQueries(instance, queries, attributes);
  const ofPersons = unit !== "row" && unit.column !== undefined;
  return instance.exports.vaultBytes(
    ...([structs, queries.length, candidates.length, attributes.length, rows, Number(ofPersons)] as const),
  );
}
