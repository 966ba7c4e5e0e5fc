import { StandinError } from "../core/errors.js";
import { breathe, type OnProgress } from "../core/progress.js";
import type { Table } from "../core/table.js";
import type { Measurement } from "../queries/measurement.js";
import { modelCodes } from "../schema/encode.js";
import type { Schema } from "../schema/schema.js";
import type { Budget } from "./budget.js";
import { type Ledger, sigma2Of } from "./plan.js";
import { freshKey } from "./seed.js";
import { Vault } from "./vault.js";

export interface MeasureOptions {
  /** A budget shared by several releases, charged before anything is measured. */
  budget?: Budget;
  /** For tests only: a known key instead of a fresh one. Everybody who knows it can subtract the noise. */
  unsafeNoiseKey?: Uint8Array;
  /** How many instances of the engine count; the answers do not depend on it. */
  slices?: number;
  onProgress?: OnProgress;
  signal?: AbortSignal;
}

/**
 * The door: measures every item of the plan, in order, and closes the vault whatever happens.
 *
 * Proof definition: for tables that differ by one unit (`ledger.neighbours`, `ledger.unit`), the returned answers together are
 * ρ-zCDP with ρ = Σ charges ≤ `ledger.budget`, by composition of discrete Gaussian mechanisms (Canonne, Kamath and Steinke
 * 2020); hence (ε, δ)-DP for the plan's ε and δ.
 *
 * @throws {StandinError} before anything is charged: `schema/other-table`; `privacy/no-persons` where the unit is a person and the
 * table does not say whose its rows are; then `budget/…`
 */
export async function measureItems(
  table: Table,
  schema: Schema,
  ledger: Ledger,
  options: MeasureOptions,
): Promise<Measurement[]> {
  const { budget, unsafeNoiseKey, slices, onProgress, signal } = options;
  if (schema.unit !== "row" && schema.unit.column !== undefined && table.persons?.length !== table.length)
    throw new StandinError(
      "privacy/no-persons",
      `The schema protects persons, known by the column "${schema.unit.column}", but the table was read without it.`,
      "Read the table with this schema.",
    );
  const codes = modelCodes(table, schema);
  signal?.throwIfAborted();
  budget?.charge(ledger);
  const key = unsafeNoiseKey ? () => unsafeNoiseKey.slice() : freshKey;
  const vault = new Vault(ledger, schema.attributes, key, slices);
  try {
    vault.load(codes, table.length, table.persons);
    const measurements: Measurement[] = [];
    for (const [number, item] of ledger.items.entries()) {
      if (number % 16 === 0) {
        onProgress?.({ phase: "measure", done: number, of: ledger.items.length });
        await breathe(signal);
      }
      measurements.push({ query: item.query, answers: vault.measure(item, number), sigma2: sigma2Of(item) });
    }
    onProgress?.({ phase: "measure", done: ledger.items.length, of: ledger.items.length });
    return measurements;
  } finally {
    vault.close();
  }
}
