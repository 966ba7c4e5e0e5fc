// Records of every kind, each with the text that identifies its person, and the expected contents of a table of them.
import fc from "fast-check";
import type { Table } from "../../src/core/table.js";
import { NO_PERSON } from "../../src/engine/layout.js";
import { readCsv } from "../../src/files/csv.js";
import { modelCodes } from "../../src/schema/encode.js";
import { parseSchema, type Schema } from "../../src/schema/schema.js";
import { utf8 } from "./tables.js";

/**
 * A column for each way to store codes: u16 for categories and for grid points, u32, f64; and one that identifies
 * persons.
 */
const FIELDS = [
  { name: "a", constraints: { enum: ["x", "y", 'q"', "two\nlines"] } },
  { name: "n", type: "integer", constraints: { minimum: 0, maximum: 99 } },
  { name: "big", type: "integer", constraints: { minimum: 0, maximum: 1e6 } },
  { name: "far", type: "integer", constraints: { minimum: 0, maximum: 1e12 } },
  { name: "day", type: "date", constraints: { minimum: "2000-01-01", maximum: "2024-12-31" } },
  { name: "yes", type: "boolean" },
  { name: "who", standin: { role: "drop" } },
];
const WHO = FIELDS.length - 1;
export const HEADER = `${FIELDS.map(({ name }) => name).join()}\n`;

const allRequired = FIELDS.map(({ constraints, ...field }) => ({
  ...field,
  constraints: { ...constraints, required: true },
  ...(field.name === "a" ? { standin: { other: "y" } } : {}),
}));

/** The missing spelling is the empty one, or one of two; or there is none; or no cell may be missing. */
export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries({
    empty: { fields: FIELDS },
    two: { fields: FIELDS, missingValues: ["NA", ""] },
    none: { fields: FIELDS, missingValues: [] },
    required: { fields: allRequired },
  }).map(([name, descriptor]) => [
    name,
    parseSchema({ ...descriptor, standin: { unit: { column: "who", maxRows: 2 } } }),
  ]),
);

/** Stands for a byte in a record's text that is not UTF-8. */
const UNDECODABLE = "\u{10ffff}";

/** A cell as it stands in a file, and its value. */
interface Cell {
  readonly raw: string;
  readonly text: string;
}

const WORDS = ["x", "y", "7", "42", "99", "1000000", "123456789012", "2001-02-03", "true", "no", "p1", "p2", "p3"];
const ODD = [
  "",
  "",
  "NA",
  " ",
  "é",
  "1e3",
  "not a date",
  "\ufeff",
  `b${UNDECODABLE}`,
  "longer than the others by some way",
];
const plain = fc.constantFrom(...WORDS, ...WORDS, ...ODD, 'z"w').map((text): Cell => ({ raw: text, text }));
/** A cell in closed quotes, with text after them that belongs to the cell. */
const quoted = fc
  .tuple(fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "x", "é"), maxLength: 6 }), fc.constantFrom("", "x"))
  .map(([inside, after]): Cell => ({ raw: `"${inside.replaceAll('"', '""')}"${after}`, text: inside + after }));
const label = fc.constantFrom('q"', "two\nlines").map((text): Cell => ({ raw: `"${text.replace('"', '""')}"`, text }));
const cell = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 1, arbitrary: quoted },
  { weight: 1, arbitrary: label },
);

/**
 * A record as it stands in a file, without its end, and the text that identifies its person, if the record reaches that
 * far.
 */
export interface FileRecord {
  readonly raw: string;
  readonly who: string | undefined;
}

/** Too short in two of five cases, or empty, or too long. */
export const record: fc.Arbitrary<FileRecord> = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 6, 7, 7, 7, 7, 8, 12), fc.array(cell, { minLength: 12, maxLength: 12 }))
  .map(([width, cells]) => {
    const kept = cells.slice(0, width);
    return { raw: kept.map(({ raw }) => raw).join(), who: kept[WHO]?.text };
  });

/** The bytes of a file's text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const parts = text.split(UNDECODABLE).map(utf8);
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length + 1, -1)).fill(0xff);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length + 1;
  }
  return bytes;
}

/**
 * The contents of a table: the codes of each column, and for each row the first row of the same person, −1 if it
 * belongs to nobody.
 */
export interface Contents {
  /** As stored, then as queries see them. */
  readonly columns: readonly (readonly number[])[];
  readonly persons: readonly number[];
}

/** The contents of a table, which do not depend on how persons are numbered. */
export function contentsOf(table: Table, schema: Schema): Contents {
  const stored = table.columns.map(({ codes }) => [...codes]);
  const seen = modelCodes(table, schema).map((codes) => [...codes]);
  return { columns: [...stored, ...seen], persons: firstRows(table.persons!.codes, NO_PERSON) };
}

/** The expected contents of a table of these records: each is read as if it were the only one. */
export async function expectedOf(records: readonly FileRecord[], schema: Schema): Promise<Contents> {
  const alone = new Map<string, readonly number[]>();
  for (const { raw } of records)
    if (!alone.has(raw)) {
      const table = await readCsv(bytesOf(HEADER + raw), schema);
      if (table.length > 1) throw new Error(`One record was read as ${table.length} rows: ${JSON.stringify(raw)}`);
      alone.set(raw, contentsOf(table, schema).columns.flat());
    }
  const rows = records.filter(({ raw }) => alone.get(raw)!.length);
  return {
    columns: Array.from({ length: 2 * schema.attributes.length }, (_, at) =>
      rows.map(({ raw }) => alone.get(raw)![at]),
    ),
    persons: firstRows(
      rows.map(({ who }) => (who === undefined || schema.missingValues.includes(who) ? NO_PERSON : who)),
      NO_PERSON,
    ),
  };
}

function firstRows(persons: Iterable<unknown>, nobody: unknown): number[] {
  const first = new Map<unknown, number>();
  return Array.from(persons, (person, row) => {
    if (person === nobody) return -1;
    if (!first.has(person)) first.set(person, row);
    return first.get(person)!;
  });
}
