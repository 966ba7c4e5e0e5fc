import { StandinError } from "../core/errors.js";
import type { Codes, Table } from "../core/table.js";
import type { CategoryDomain } from "./categories.js";
import type { Field } from "./field.js";
import { codeOf, type Grid, pointOf } from "./grid.js";
import type { Notation } from "./notation.js";
import { canonical } from "./numbers.js";
import type { Attribute, Schema } from "./schema.js";
import { allocate, missingCode } from "./stored.js";

/**
 * How a field's cells become stored codes: category codes (u16), or grid points (u16, u32 or f64, as the grid needs).
 * Every cell has a code and none an error; the rule looks at that cell alone.
 */
export interface CellReader {
  /** The stored code of a cell's text. */
  encode(text: string): number;
  /** Zeroed room for this many codes. */
  allocate(length: number): Codes;
}

/**
 * The reader of a modelled field. A missing spelling is missing where the field may be missing. Everything else that is no value of
 * the field (unlisted, unreadable, not finite, missing where it may not be) becomes the field's `other`, else missing if allowed,
 * else the first category or the lower bound. Numbers, dates and times are rounded to the nearest grid point, ties up, and clipped.
 */
export function cellReader(field: Field, schema: Pick<Schema, "missingValues">): CellReader {
  const domain = field.domain!;
  const missing = missingCode(field);
  const missingValues = new Set(schema.missingValues);
  const otherwise = (domain.kind === "category" ? domain.other : undefined) ?? missing ?? 0;
  const value = domain.kind === "grid" ? pointReader(field.notation!, domain) : categoryReader(field.notation, domain);
  return {
    encode: (text) => (missingValues.has(text) ? (missing ?? otherwise) : (value(text) ?? otherwise)),
    allocate: (length) => allocate(field, length),
  };
}

/** The columns of all attributes as a table holds them, in 16 bits, and for each the code that queries see in the place of each value. */
export interface ModelColumns {
  readonly columns: readonly Uint16Array[];
  readonly codes: readonly Uint16Array[];
}

/**
 * What queries see of a table: categories as stored; grid points as ordered codes, bins or leaves.
 * @throws {StandinError} `schema/other-table` where the table's codes, or its persons, are in the terms of another schema
 */
export function modelColumns(table: Table, schema: Schema): ModelColumns {
  if (termsOf(table.descriptor) !== termsOf(schema.toJSON()))
    throw new StandinError(
      "schema/other-table",
      "The table was read with another schema than this one.",
      "Read the table with the schema of the plan.",
    );
  const columns: Uint16Array[] = [];
  const codes: Uint16Array[] = [];
  for (const { name, domain, attribute, required } of schema.fields) {
    if (!domain) continue;
    const stored = table.columns.find((column) => column.name === name)!.codes;
    const missing = missingCode({ domain, required });
    const small = stored instanceof Uint16Array;
    columns.push(small ? stored : largeGridCodes(stored, domain as Grid, missing));
    codes.push(
      small && domain.kind === "grid" ? smallGridCodes(domain, missing) : sameCodes(schema.attributes[attribute!]),
    );
  }
  return { columns, codes };
}

/** The codes that queries see, one array an attribute. @throws {StandinError} as `modelColumns` */
export function modelCodes(table: Table, schema: Schema): Uint16Array[] {
  const { columns, codes } = modelColumns(table, schema);
  return columns.map((column, at) => column.map((value) => codes[at][value]));
}

/** What the meaning of codes depends on: all of a descriptor but how the file was written. */
function termsOf(descriptor: object | undefined): string | undefined {
  return JSON.stringify({ ...descriptor, dialect: undefined, encoding: undefined });
}

const sameCodes = ({ size }: Attribute): Uint16Array => Uint16Array.from({ length: size }, (_, code) => code);

/** The code of each point of 16 bits. */
function smallGridCodes(grid: Grid, missing: number | undefined): Uint16Array {
  const codes = new Uint16Array(Math.max(grid.points, (missing ?? 0) + 1));
  for (let point = 0; point < grid.points; point++) codes[point] = codeOf(grid, point);
  if (missing !== undefined) codes[missing] = grid.starts.length;
  return codes;
}

/** Runs of points, equally wide, whose first codes are remembered. */
const RUNS = 4096;

function largeGridCodes(points: Exclude<Codes, Uint16Array>, grid: Grid, missing: number | undefined): Uint16Array {
  const width = Math.ceil(grid.points / RUNS);
  const firsts = Uint16Array.from({ length: RUNS + 1 }, (_, run) => codeOf(grid, run * width));
  const codes = new Uint16Array(points.length);
  for (let row = 0; row < points.length; row++) {
    const point = points[row];
    const run = Math.floor(point / width);
    codes[row] = point === missing ? grid.starts.length : codeOf(grid, point, firsts[run], firsts[run + 1]);
  }
  return codes;
}

function categoryReader(
  notation: Notation | undefined,
  { labels, spellings }: CategoryDomain,
): (text: string) => number | undefined {
  const exact = new Map(labels.map((label, code) => [label, code]));
  return (text) => {
    const found = exact.get(text) ?? spellings.get(text) ?? exact.get(text.trim()) ?? spellings.get(text.trim());
    if (found !== undefined) return found;
    const number = notation?.read(text);
    return number && spellings.get(canonical(number));
  };
}

function pointReader(notation: Notation, grid: Grid): (text: string) => number | undefined {
  return (text) => {
    const number = notation.read(text);
    return number && pointOf(grid, number);
  };
}
