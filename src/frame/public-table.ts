// The rows that everyone may see. This is the one file of the frame that encodes rows, and these are never counted by
// the door: what a release promises has nothing to do with them.

import { expectArgument } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { fingerprint } from "../core/fingerprint.js";
import { forUsers } from "../core/option-text.js";
import { Table } from "../core/table.js";
import { thousands } from "../core/thousands.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import type { PublicTable } from "../models/model.js";
import { modelCodes } from "../schema/encode.js";
import type { Schema } from "../schema/schema.js";

/** What to pass in place of a path or a promise. */
export const READ_IT = "Read it first: await readCsv(source, schema).";

/** What continuing from a release needs besides the release, if it used public rows. */
export interface PublicTableOption {
  /** The public table of its plan, read with its schema. */
  publicTable?: Table;
}

/** What a release records of its public table: enough to recognise it. */
export type PublicTableFacts = Pick<PublicTable, "rows" | "fingerprint">;

/** The facts of a public table, to be spread among those of a release; none without one. */
export function publicTableFacts(table: PublicTable | undefined): { publicTable?: PublicTableFacts } {
  return table ? { publicTable: { rows: table.rows, fingerprint: table.fingerprint } } : {};
}

/**
 * A public table as models take it.
 * @throws {StandinError} `schema/other-table`, `public/empty`, `options/argument`
 */
export function publicTableOf(table: Table | undefined, schema: Schema): PublicTable | undefined {
  if (table === undefined) return undefined;
  expectArgument(table instanceof Table, "a public table that readCsv or parseCsv has read", READ_IT);
  if (!table.length)
    throw new StandinError("public/empty", "The public table has no rows.", "Leave it out, or give one with rows.");
  const codes = modelCodes(table, schema);
  const publicTable = { codes, rows: table.length, fingerprint: fingerprint(codes) };
  sources.set(publicTable, table);
  return publicTable;
}

const sources = new WeakMap<PublicTable, Table>();

/** Refuses to measure what was given as public. @throws {StandinError} `public/private-table` */
export function checkPrivate(table: Table, publicTable: PublicTable | undefined): void {
  if (publicTable && sources.get(publicTable) === table)
    throw new StandinError(
      "public/private-table",
      "The public table of the plan is the private table itself.",
      "Give a table that everyone may see.",
    );
}

/** @throws {StandinError} `public/unused`, `public/required` @internal */
export function checkPublicUse({ name, publicTable }: Mechanism, given: PublicTable | undefined): void {
  if (!publicTable && given)
    throw new StandinError("public/unused", `The mechanism ${name} does not use public rows.`, "Leave them out.");
  if (publicTable === "required" && !given)
    throw new StandinError(
      "public/required",
      `The mechanism ${name} needs public rows.`,
      `Give a public table of the same schema (${forUsers("publicTable", "--public FILE")}).`,
    );
}

/**
 * Checks that a release is continued with the public table that it was made with.
 * @throws {StandinError} `public/missing`, `public/unused`, `public/other-table`
 */
export function checkSamePublicTable(facts: PublicTableFacts | undefined, given: PublicTable | undefined): void {
  if (facts && !given)
    throw new StandinError(
      "public/missing",
      `This release was made with a public table of ${thousands(facts.rows)} rows, which its file does not contain.`,
      `Give that table (${forUsers("publicTable", "--public FILE")}).`,
    );
  if (!facts && given)
    throw new StandinError("public/unused", "This release was made without public rows.", "Leave them out.");
  if (facts && given && (facts.rows !== given.rows || facts.fingerprint !== given.fingerprint))
    throw new StandinError(
      "public/other-table",
      `This is not the public table of this release, which has ${thousands(facts.rows)} rows and the fingerprint ${facts.fingerprint}.`,
      "Give the same table, with its rows in the same order.",
    );
}
