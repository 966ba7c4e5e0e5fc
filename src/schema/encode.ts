import { StandinError } from "../core/errors.js";
import type { Codes, Table } from "../core/table.js";
import type { Field } from "../domain/field.js";
import { codeOf, type Grid } from "../domain/grid.js";
import { bytesPerCode, missingCode } from "../domain/stored.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { notationStruct } from "../notation/struct.js";
import type { Schema } from "./schema.js";

/**
 * How a field's cells become stored codes: category codes (u16), or grid points (u16, u32 or f64, depending on the
 * grid). Every cell gets a code and no cell is an error. The code depends on the text of that cell alone; the engine
 * finds it (`assembly/files/`).
 */
export interface CellRule {
  readonly kind: "category" | "grid";
  /** Bytes of a stored code: u16, u32 or f64. */
  readonly bytes: 2 | 4 | 8;
  readonly missingValues: readonly string[];
  /** The code of missing spellings. */
  readonly missing: number;
  /** The code of a cell that its record lacks; if absent, that of an empty cell. */
  readonly absent: number | undefined;
  /** The code of a text that is not a value of the field. */
  readonly otherwise: number;
  /** Category c is written as `labels[c]`. */
  readonly labels: readonly string[];
  /** Other spellings of categories; of numbers, dates and times, the canonical text of their number. */
  readonly spellings: ReadonlyMap<string, number>;
  /** The engine's NOTATION of numbers, dates and times. */
  readonly notation: Uint8Array | undefined;
}

/**
 * The rule of a modelled field. A missing spelling is missing if the field may be missing. Anything else that is not a
 * value of the field (unlisted, unreadable, not finite, missing where it may not be) becomes the field's `other`;
 * without one, missing if allowed; otherwise the first category or the lower bound. Numbers, dates and times are
 * rounded to the nearest grid point, ties up, and clipped. A cell that its record lacks is read as the first missing
 * spelling, or as an empty one if there is none.
 */
export function cellRule(field: Field, { missingValues }: Pick<Schema, "missingValues">): CellRule {
  const domain = field.domain!;
  const missing = missingCode(field);
  const otherwise = (domain.kind === "category" ? domain.other : undefined) ?? missing ?? 0;
  return {
    kind: domain.kind,
    bytes: bytesPerCode(field),
    missingValues,
    missing: missing ?? otherwise,
    absent: missingValues.length ? (missing ?? otherwise) : undefined,
    otherwise,
    labels: domain.kind === "category" ? domain.labels : [],
    spellings: domain.kind === "category" ? domain.spellings : new Map(),
    notation: field.notation && notationStruct(field.notation.spelling, domain.kind === "grid" ? domain : undefined),
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

/** In an instance of its own, which is overwritten with zeros afterwards. */
function largeGridCodes(points: Exclude<Codes, Uint16Array>, grid: Grid, missing: number | undefined): Uint16Array {
  const engine = new Instance();
  const { starts } = grid;
  const runs = engine.exports.runsOpen(engine.place(starts), starts.length, grid.points, missing ?? Number.NaN);
  const stored = engine.alloc(BLOCK_ROWS * points.BYTES_PER_ELEMENT);
  const out = engine.alloc(BLOCK_ROWS * 2);
  const codes = new Uint16Array(points.length);
  for (let row = 0; row < points.length; row += BLOCK_ROWS) {
    const block = points.subarray(row, row + BLOCK_ROWS);
    engine.write(stored, block);
    engine.exports.modelCodes(runs, stored, points.BYTES_PER_ELEMENT, block.length, starts.length, out);
    codes.set(engine.readU16(out, block.length), row);
  }
  engine.exports.wipe();
  engine.drop();
  return codes;
}
