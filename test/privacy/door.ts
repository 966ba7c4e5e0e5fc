import type { Table } from "../../src/core/table.js";
import { Door, type DoorOptions } from "../../src/privacy/door.js";
import { isQueryItem, type Ledger } from "../../src/privacy/ledger.js";
import { RemoteSlice, startCounting } from "../../src/privacy/slice.js";
import { Vault } from "../../src/privacy/vault.js";
import { modelColumns } from "../../src/schema/encode.js";
import type { Schema } from "../../src/schema/schema.js";

/** The noisy answers to all queries that a ledger names, measured directly through the door. */
export async function measureItems(
  table: Table,
  schema: Schema,
  ledger: Ledger,
  options: DoorOptions,
): Promise<Int32Array[]> {
  const door = new Door(table, schema, ledger, options);
  try {
    return [...(await door.measure(ledger.items.filter(isQueryItem)))];
  } finally {
    await door.close();
  }
}

/**
 * A vault that counts in this many threads, whatever the size of its table. (A door gives small tables to one thread.)
 * Needs src/node.ts.
 */
export async function threadedVault(
  threads: number,
  table: Table,
  schema: Schema,
  ledger: Ledger,
  key?: Uint8Array,
): Promise<Vault> {
  const workers = startCounting(threads, schema.attributes);
  const started = await Promise.all(workers.map((worker) => worker.started));
  if (started.length !== threads - 1 || !started.every(Boolean)) throw new Error("Not all threads have started.");
  const slices = workers.map((worker) => new RemoteSlice(worker));
  const vault = new Vault(ledger, ledger.budget, schema.attributes, key, slices);
  await vault.load(modelColumns(table, schema), table.length, table.persons);
  return vault;
}

/** Like measureItems, in a vault with this many threads. */
export async function measureInThreads(...given: Parameters<typeof threadedVault>): Promise<Int32Array[]> {
  const vault = await threadedVault(...given);
  try {
    return [...(await vault.measure(given[3].items.filter(isQueryItem), 0))];
  } finally {
    await vault.close();
  }
}
