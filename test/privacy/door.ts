import type { Table } from "../../src/core/table.js";
import { Door, type DoorOptions } from "../../src/privacy/door.js";
import { isQueryItem, type Ledger } from "../../src/privacy/plan.js";
import type { Schema } from "../../src/schema/schema.js";

/** The noisy answers to all queries that a ledger names, straight through the door. */
export function measureItems(table: Table, schema: Schema, ledger: Ledger, options: DoorOptions): Int32Array[] {
  const door = new Door(table, schema, ledger, options);
  try {
    return ledger.items.filter(isQueryItem).map((item) => door.measure(item));
  } finally {
    door.close();
  }
}
