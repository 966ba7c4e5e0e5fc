import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import type { Instance } from "../engine/instance.js";
import type { Schema } from "../schema/schema.js";
import { cellsOf } from "./parser.js";

/** The delimiters to try if the schema states none. If several fit a header equally well, the first counts. */
export const DELIMITERS = [",", ";", "\t", "|"];
/** The largest number of names that an error lists. */
const LISTED = 10;

/** How a header is read. */
export interface HeaderRule {
  /** The delimiter of the cells. @param line the header up to its first line break */
  delimiterOf(line: Uint8Array): string;
  /**
   * Whether a quoted name may continue after one of its line breaks, given the name up to and including that break. If
   * absent, any name may.
   */
  mayGoOn?(name: string): boolean;
}

/**
 * How the header of a schema's table is read, in an engine. A name continues on the next line only if a name in the
 * schema does, so no record is taken for part of a header with an unclosed quote.
 */
export function headerRule(schema: Schema, engine: Instance): HeaderRule {
  return {
    delimiterOf: (line) => delimiterOf(line, schema, engine),
    mayGoOn: (name) => schema.fields.some((field) => field.name.startsWith(name)),
  };
}

/**
 * The delimiter of a table: the one that the schema states, or else the one that splits the header into the most names
 * that the schema knows.
 */
function delimiterOf(line: Uint8Array, schema: Schema, engine: Instance): string {
  if (schema.dialect.delimiter !== undefined) return schema.dialect.delimiter;
  const known = new Set(namesOf(schema));
  const fits = DELIMITERS.map((delimiter) => ({
    delimiter,
    names: columnNames(cellsOf(engine, line, delimiter)).filter((name) => known.has(name)).length,
  }));
  return fits.reduce((best, fit) => (fit.names > best.names ? fit : best)).delimiter;
}

/**
 * The names of a header's columns, made unique. The second column of a repeated name is called `name_2`, the third
 * `name_3`, …, skipping names that the header already has.
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
 * Checks a header's names. If the first line does not fit, it may be a person's record, so errors name the schema's
 * columns and never the cells of the line. For a header of several lines they say only that it does not fit.
 * @param names empty if there was no header
 * @throws {StandinError} `files/empty`; `files/header-quote` for a name with line breaks that is not in the schema;
 *   `files/missing-column` if modelled columns, or the person column, are absent; `files/duplicate-column` if a column
 *   of the schema is repeated and the schema does not name the other one as `columnNames` does
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
  const absent = neededColumns(schema).filter((name) => !found.has(name));
  if (absent.length)
    throw new StandinError(
      "files/missing-column",
      isOneLine
        ? `The header has ${thousands(names.length)} column${names.length === 1 ? "" : "s"}, but lacks these columns of the schema: ${listed(absent)}.`
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

/** An error about a header whose quotes may be unclosed must not depend on any line after the first one. */
export function quoteLeftOpen(): StandinError {
  return new StandinError(
    "files/header-quote",
    "A line of the header ends inside quotes.",
    "Close them; a name that really continues on the next line must be one of the schema's (with the role drop to leave it out).",
  );
}

/** The columns that a table must have: those that are modelled, and the one that identifies persons. */
export function neededColumns(schema: Pick<Schema, "fields" | "unit">): string[] {
  const person = personColumnOf(schema);
  return schema.fields.flatMap(({ name, role }) => (role === "model" || name === person ? [name] : []));
}

/** The column that identifies persons, if persons with several rows are protected. */
export function personColumnOf({ unit }: Pick<Schema, "unit">): string | undefined {
  return unit === "row" ? undefined : unit.column;
}

const namesOf = ({ fields }: Schema) => fields.map(({ name }) => name);

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map((name) => JSON.stringify(name));
  return names.length > LISTED ? `${shown.join(", ")} and ${thousands(names.length - LISTED)} more` : shown.join(", ");
}
