import { StandinError } from "../core/errors.js";
import type { Schema } from "../schema/schema.js";
import { RecordParser } from "./parser.js";

/**
 * What may separate cells where the schema does not say; the first of several that fit a header equally well counts.
 */
export const DELIMITERS = [",", ";", "\t", "|"];
/** Most names that an error lists. */
const LISTED = 10;

/** How a header is read. */
export interface HeaderRule {
  /** What separates the cells. @param line the header up to its first line break */
  delimiterOf(line: Uint8Array): string;
  /** Whether a name in quotes, up to one of its line breaks and that included, may go on; absent: any may. */
  mayGoOn?(name: string): boolean;
}

/**
 * How the header of a schema's table is read: a name goes on in the next line only where that is so of one in the
 * schema, so that no record is taken for a part of a header whose quotes are not closed.
 */
export function headerRule(schema: Schema): HeaderRule {
  return {
    delimiterOf: (line) => delimiterOf(line, schema),
    mayGoOn: (name) => schema.fields.some((field) => field.name.startsWith(name)),
  };
}

/**
 * What separates a table's cells: what the schema states, else what splits the header into the most names that the
 * schema knows.
 */
function delimiterOf(line: Uint8Array, schema: Schema): string {
  if (schema.dialect.delimiter !== undefined) return schema.dialect.delimiter;
  const known = new Set(namesOf(schema));
  const fits = DELIMITERS.map((delimiter) => ({
    delimiter,
    names: columnNames(cellsOf(line, delimiter)).filter((name) => known.has(name)).length,
  }));
  return fits.reduce((best, fit) => (fit.names > best.names ? fit : best)).delimiter;
}

/**
 * The names of a header's columns, each its own: where a name comes again, its second column is called `name_2`, the
 * third `name_3`, …, passing over names that the header has itself.
 */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set(header);
  const times = new Map<string, number>();
  return header.map((name) => {
    let time = (times.get(name) ?? 0) + 1;
    if (time > 1) while (taken.has(`${name}_${time}`)) time++;
    times.set(name, time);
    return time > 1 ? `${name}_${time}` : name;
  });
}

/**
 * Checks a header's names. A first line that does not fit may be a person's record: errors name the schema's columns,
 * never its cells. Of a header of several lines they say nothing but that it does not fit.
 * @param names none where there was no header
 * @throws {StandinError} `files/empty`; `files/header-quote` for a name of several lines that is none of the schema's;
 * `files/missing-column` where modelled columns, or the one that tells persons apart, are absent;
 * `files/duplicate-column` where a column of the schema comes again and the schema does not name the other one as
 * `columnNames` does
 */
export function checkHeader(names: readonly string[], schema: Schema): void {
  if (!names.length)
    throw new StandinError(
      "files/empty",
      "The file is empty, or has no line after the skipped ones: there is no header.",
      `Expected a line with the columns ${listed(namesOf(schema))}.`,
    );
  const known = new Set(namesOf(schema));
  const broken = names.filter((name) => /[\r\n]/.test(name));
  if (broken.some((name) => !known.has(name))) throw quoteLeftOpen();
  const isOneLine = !broken.length;
  const found = new Set(columnNames(names));
  const absent = schema.fields.filter(
    ({ name, role }) => !found.has(name) && (role === "model" || name === personColumnOf(schema)),
  );
  if (absent.length)
    throw new StandinError(
      "files/missing-column",
      isOneLine
        ? `The header has ${names.length} column${names.length === 1 ? "" : "s"}, but lacks these columns of the schema: ${listed(absent.map(({ name }) => name))}.`
        : "The header, which has several lines, lacks columns of the schema.",
      "Check the first line, the delimiter, and the spelling of the names.",
    );
  const twice = columnNames(names).findIndex(
    (name, at) => name !== names[at] && !known.has(name) && known.has(names[at]),
  );
  if (twice >= 0)
    throw new StandinError(
      "files/duplicate-column",
      isOneLine
        ? `The header has the column ${JSON.stringify(names[twice])} more than once.`
        : "The header, which has several lines, has a column of the schema more than once.",
      "Give each column its own name, in the header or in the schema: the second is called name_2, the third name_3, and so on.",
    );
}

/** What is said of a header that may not be closed depends on no line after its first one. */
export function quoteLeftOpen(): StandinError {
  return new StandinError(
    "files/header-quote",
    "A line of the header ends inside quotes.",
    "Close them; a name that really continues on the next line must be one of the schema's (with the role drop to leave it out).",
  );
}

/** The column that tells persons apart, where persons with several rows are protected. */
export function personColumnOf({ unit }: Pick<Schema, "unit">): string | undefined {
  return unit === "row" ? undefined : unit.column;
}

const namesOf = ({ fields }: Schema) => fields.map(({ name }) => name);

/** The cells of one record. */
export function cellsOf(record: Uint8Array, delimiter: string): string[] {
  return parsed(record, delimiter).cells;
}

/** A record's cell that is open in quotes at its end. */
export function openCell(record: Uint8Array, delimiter: string): string | undefined {
  const { cells, open } = parsed(record, delimiter);
  return open ? cells.at(-1) : undefined;
}

function parsed(record: Uint8Array, delimiter: string): { cells: string[]; open: boolean } {
  const cells: string[][] = [];
  const parser = new RecordParser(delimiter, { take: (found) => cells.push(found.texts()) });
  parser.push(record);
  const open = parser.inQuotes;
  parser.end();
  return { cells: cells.flat(), open };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map((name) => JSON.stringify(name));
  return names.length > LISTED ? `${shown.join(", ")} and ${names.length - LISTED} more` : shown.join(", ");
}
