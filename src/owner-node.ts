// The entry `standin/owner` for Node: everything in owner.ts, with the engine of the main entry, and tables from paths.

import "./node.js";
import type { CsvOptions } from "./files/csv.js";
import { opened, type Source } from "./files/source.js";
import { nonPrivateCheck as checkBytes, type TableCheck } from "./owner/check.js";
import { type Proposal, type ProposeOptions, nonPrivateProposal as proposeBytes } from "./owner/propose.js";
import type { Schema } from "./schema/schema.js";

export * from "./owner.js";

/**
 * Counts what reading a table with a schema would change. NOT PRIVATE: exact counts from the real rows, only for their
 * owner.
 * @throws {StandinError} as in `readCsv`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const { columns } = await nonPrivateCheck("people.csv", schema);
 * columns[0].unlisted; // → 0
 */
export async function nonPrivateCheck(source: Source, schema: Schema, options: CsvOptions = {}): Promise<TableCheck> {
  return opened(source, options, (bytes, others) => checkBytes(bytes, schema, others));
}

/**
 * Proposes a schema for a table, each fact marked as read from its rows. NOT PRIVATE: only for the table's owner, until
 * `confirmFacts` declares the facts that are known independently.
 * @throws {StandinError} `files/…` about the file or its header; `schema/dialect`
 * @example
 * const { descriptor, readFacts } = await nonPrivateProposal("people.csv");
 * readFacts.includes("sex: enum"); // → true
 * const schema = parseSchema(confirmFacts(descriptor, ["sex"]));
 * schema.readFacts.includes("sex: enum"); // → false
 */
export async function nonPrivateProposal(source: Source, options: ProposeOptions = {}): Promise<Proposal> {
  return opened(source, options, proposeBytes);
}
