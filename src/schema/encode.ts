import { StandinError } from "../core/errors.js";
import type { Codes, Table } from "../core/table.js";
import type { CategoryDomain } from "../domain/categories.js";
import type { Field } from "../domain/field.js";
import { codeOf, type Grid, pointOf } from "../domain/grid.js";
import { allocate, missingCode } from "../domain/stored.js";
import type { Notation } from "../notation/notation.js";
import { canonical } from "../notation/numbers.js";
import type { Schema } from "./schema.js";

/**
 * How a field's cells become stored codes: category codes (u16), or grid points (u16, u32 or f64, depending on the
 * grid). Every cell gets a code and no cell is an error. The rule looks only at that cell.
 */
export interface CellReader {
  /** The stored code of a cell's text. */
  encode(text: string): number;
  /** A zeroed array for this many codes. */
  allocate(length: number): Codes;
}

/**
 * The reader of a modelled field. A missing spelling is missing if the field may be missing. Anything else that is not
 * a value of the field (unlisted, unreadable, not finite, missing where it may not be) becomes the field's `other`;
 * without one, missing if allowed; otherwise the first category or the lower bound. Numbers, dates and times are
 * rounded to the nearest grid point, ties up, and clipped.
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

/**
 * The columns of all attributes as a table holds them, in 16 bits, and for each column the code that queries see for
 * each value.
 */
export interface ModelColumns {
  readonly columns: readonly Uint16Array[];
  /**
   * `undefined` where values are the codes themselves. In such a column, values above the last code stand for the last
   * code, which is missing where the column may be missing.
   */
  readonly codes: readonly (Uint16Array | undefined)[];
}

/**
 * The columns of a table as queries see them: categories as stored; grid points as ordered codes, bins or leaves.
 * @throws {StandinError} `schema/other-table` if the table's codes, or its persons, follow another schema
 */
export function modelColumns(table: Table, schema: Schema): ModelColumns {
  if (termsOf(table.descriptor) !== termsOf(schema.toJSON()))
    throw new StandinError(
      "schema/other-table",
      "The table was read with a schema other than this one.",
      "Read the table with the schema of the plan.",
    );
  const columns: Uint16Array[] = [];
  const codes: (Uint16Array | undefined)[] = [];
  for (const { name, domain, required } of schema.fields) {
    if (!domain) continue;
    const stored = table.columns.find((column) => column.name === name)!.codes;
    const missing = missingCode({ domain, required });
    const small = stored instanceof Uint16Array;
    columns.push(small ? stored : largeGridCodes(stored, domain as Grid, missing));
    codes.push(small && domain.kind === "grid" && !isOrdered(domain) ? smallGridCodes(domain, missing) : undefined);
  }
  return { columns, codes };
}

/** The codes that queries see, one array per attribute. @throws {StandinError} as in `modelColumns` */
export function modelCodes(table: Table, schema: Schema): Uint16Array[] {
  const { columns, codes } = modelColumns(table, schema);
  return columns.map((column, at) => {
    const known = codes[at];
    const last = schema.attributes[at].size - 1;
    return column.map(known ? (value) => known[value] : (value) => Math.min(value, last));
  });
}

/** The part of a descriptor that determines the meaning of codes: all of it except how the file was written. */
function termsOf(descriptor: object | undefined): string | undefined {
  return JSON.stringify({ ...descriptor, dialect: undefined, encoding: undefined });
}

/** Whether every point is its own code. */
function isOrdered({ starts, points }: Grid): boolean {
  return starts.length === points && starts.every((start, code) => start === code);
}

/** The code of each point of 16 bits. */
function smallGridCodes(grid: Grid, missing: number | undefined): Uint16Array {
  const codes = new Uint16Array(Math.max(grid.points, (missing ?? 0) + 1));
  for (let point = 0; point < grid.points; point++) codes[point] = codeOf(grid, point);
  if (missing !== undefined) codes[missing] = grid.starts.length;
  return codes;
}

/** The largest number of equally wide runs of points whose codes are cached. */
const MOST_RUNS = 1 << 22;
/** The largest number of runs per row: caching more takes longer than finding codes. */
const RUNS_A_ROW = 4;
/**
 * Marks a run whose points have several codes, or where some points do not exist. Codes of this same value are also
 * looked up point by point.
 */
const SEVERAL = 0xffff;

function largeGridCodes(points: Exclude<Codes, Uint16Array>, grid: Grid, missing: number | undefined): Uint16Array {
  const { starts } = grid;
  const most = Math.min(1 + RUNS_A_ROW * points.length, MOST_RUNS);
  // A power of two, so multiplying by its inverse is exact.
  const width = 2 ** Math.max(0, Math.ceil(Math.log2(grid.points / most)));
  const scale = 1 / width;
  const runs = Math.floor(grid.points * scale) + 1;
  const codeOfRun = new Uint16Array(runs + 1).fill(SEVERAL);
  starts.forEach((start, code) => {
    const end = code + 1 < starts.length ? starts[code + 1] : grid.points;
    codeOfRun.fill(code, Math.ceil(start * scale), Math.floor(end * scale));
  });
  codeOfRun[runs] = starts.length;
  const codes = new Uint16Array(points.length);
  for (let row = 0; row < points.length; row++) {
    const point = points[row];
    const code = point < 0 ? starts.length : codeOfRun[Math.min(Math.floor(point * scale), runs)];
    if (code !== SEVERAL) codes[row] = code;
    else codes[row] = point === missing ? starts.length : codeOf(grid, point);
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
