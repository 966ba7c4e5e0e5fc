import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import type { RemoteWorker } from "../core/threads.js";
import type { ModelColumn } from "../engine/model-codes.js";
import { modelColumns } from "../schema/encode.js";
import type { Schema } from "../schema/schema.js";
import type { ScoredGroup } from "./candidates.js";
import { chargeOf, type Item, type QueryItem, type SelectionItem } from "./items.js";
import type { Ledger } from "./ledger.js";
import { RemoteSlice, startCounting } from "./slice.js";
import { Vault } from "./vault.js";

export interface DoorOptions {
  /** For tests only: a known key instead of a fresh one. Anyone who knows the key can subtract the noise. */
  unsafeNoiseKey?: Uint8Array;
  /** How many threads count (default 1); the answers do not depend on it. */
  threads?: number;
}

/** With fewer rows per thread, handing them over takes longer than counting them. */
const ROWS_A_THREAD = 100_000;

/**
 * A release's only access to a table. Items are drawn in order, each once. Items that an earlier run of the same
 * release has drawn are passed over and stay charged. The rows are in the vault from the first draw until the door
 * closes.
 *
 * Proof definition: for tables that differ by one unit (`ledger.neighbours`, `ledger.unit`), all answers and choices
 * together, including those passed over, are ρ-zCDP with ρ ≤ `ledger.budget`. They come from discrete Gaussian
 * mechanisms (Canonne, Kamath and Steinke 2020) and exponential mechanisms (Cesar and Rogers 2021), each charged before
 * it is drawn, composed adaptively by a filter that stops at the budget. An earlier run drew under its own key, and
 * which of a person's rows it kept depended on that person's rows alone, so it is one more mechanism in the same
 * composition.
 */
export class Door {
  readonly #table: Table;
  readonly #columns: readonly ModelColumn[];
  readonly #ledger: Ledger;
  readonly #schema: Schema;
  readonly #options: DoorOptions;
  readonly #workers: readonly RemoteWorker[];
  #vault: Vault | undefined;
  /** Resolves once all rows are in the vault. */
  #loaded: Promise<Vault> | undefined;
  #next = 0;
  #passedOver = 0n;

  /**
   * @throws {StandinError} `schema/other-table`; `privacy/no-persons` where the unit is a person and the table does not
   * say which person each row belongs to
   */
  constructor(table: Table, schema: Schema, ledger: Ledger, options: DoorOptions = {}) {
    if (schema.unit !== "row" && schema.unit.column !== undefined && !table.persons)
      throw new StandinError(
        "privacy/no-persons",
        `The schema protects persons, identified by the column "${schema.unit.column}", but the table was read without it.`,
        "Read the table with this schema.",
      );
    this.#columns = modelColumns(table, schema);
    this.#workers = startCounting(options.threads ?? 1, schema.attributes);
    this.#table = table;
    this.#ledger = ledger;
    this.#schema = schema;
    this.#options = options;
  }

  /**
   * The noisy answers to the items' queries.
   * @param coming the items that will be measured after them, as far as they are known
   */
  async measure(items: readonly QueryItem[], coming: readonly QueryItem[] = []): Promise<readonly Int32Array[]> {
    const first = this.#next;
    this.#next += items.length;
    const vault = await this.#open();
    return vault.measure(
      items,
      first,
      coming.map(({ query }) => query),
    );
  }

  /**
   * The numbers of the chosen candidates, in the order of choice.
   * @param among groups of `ledger.candidates`
   */
  async select(item: SelectionItem, among: readonly ScoredGroup[]): Promise<number[]> {
    const number = this.#next++;
    return (await this.#open()).select(item, number, among);
  }

  /** Passes over an item that an earlier run of this release has drawn. */
  passOver(item: Item): void {
    this.#passedOver += chargeOf(item);
    this.#next++;
  }

  /** Erases the key, overwrites the vault with zeros, and releases its threads. */
  async close(): Promise<void> {
    await this.#vault?.close();
    for (const worker of this.#workers) worker.release();
  }

  #open(): Promise<Vault> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<Vault> {
    const { unsafeNoiseKey } = this.#options;
    const { attributes } = this.#schema;
    const slices = await this.#slices();
    const budget = this.#ledger.budget - this.#passedOver;
    const vault = new Vault(this.#ledger, budget, attributes, unsafeNoiseKey, slices);
    this.#vault = vault;
    await vault.load(this.#columns, this.#table.length, this.#table.persons);
    return vault;
  }

  /**
   * The threads to use, if the table is large enough for any. Every worker is awaited whatever the table, so that
   * messages about workers that fail do not depend on a row.
   */
  async #slices(): Promise<RemoteSlice[]> {
    await Promise.all(this.#workers.map((worker) => worker.started));
    const useful = Math.floor(this.#table.length / ROWS_A_THREAD);
    return this.#workers
      .filter((worker) => worker.isReady)
      .slice(0, Math.max(0, useful - 1))
      .map((worker) => new RemoteSlice(worker));
  }
}
