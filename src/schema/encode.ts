import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import { codesOf } from "../domain/attribute.js";
import type { Field } from "../domain/field.js";
import { startsOf } from "../domain/grid.js";
import { bytesPerCode, missingCode } from "../domain/stored.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { type ModelColumn, writeModelCodes } from "../engine/model-codes.js";
import { StoredCodes } from "../engine/stored-codes.js";
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
 * The columns of all attributes as queries see them: categories as stored; grid points as ordered codes, bins or
 * leaves. Nothing is read or copied yet.
 * @throws {StandinError} `schema/other-table` if the table's codes, or its persons, follow another schema;
 *   `table/wiped`, here already, so that nothing is charged for rows that are not there
 */
export function modelColumns(table: Table, schema: Schema): ModelColumn[] {
  if (termsOf(table.descriptor) !== termsOf(schema.toJSON()))
    throw new StandinError(
      "schema/other-table",
      "The table was read with a schema other than this one.",
      "Read the table with the schema of the plan.",
    );
  return schema.fields
    .filter(({ domain }) => domain)
    .map((field, attribute) => {
      const { name, domain } = field;
      const stored = table.columns.find((column) => column.name === name)!;
      if (stored instanceof StoredCodes) stored.expectRows();
      return {
        stored,
        bytes: bytesPerCode(field),
        last: codesOf(schema.attributes[attribute]) - 1,
        grid:
          domain!.kind === "grid"
            ? {
                starts: startsOf(domain!, schema.attributes[attribute].fine),
                points: domain!.points,
                missing: missingCode(field),
              }
            : undefined,
      };
    });
}

/**
 * The codes that queries see, one array per attribute. Not for private rows, except where their owner asks for them.
 * @throws {StandinError} as in `modelColumns`
 */
export function modelCodes(table: Table, schema: Schema): Uint16Array[] {
  const rows = table.length;
  const engine = new Instance();
  const codes = modelColumns(table, schema).map((column) =>
    engine.scratch(() => {
      const pointer = engine.alloc(2 * Math.max(1, rows));
      const blocks = Array.from(
        { length: Math.ceil(rows / BLOCK_ROWS) },
        (_, block) => pointer + 2 * BLOCK_ROWS * block,
      );
      writeModelCodes(engine, [column], [blocks], rows);
      return engine.readU16(pointer, rows);
    }),
  );
  engine.exports.wipe();
  engine.drop();
  return codes;
}

/** The part of a descriptor that determines the meaning of codes: all of it except how the file was written. */
function termsOf(descriptor: object | undefined): string | undefined {
  return JSON.stringify({ ...descriptor, dialect: undefined, encoding: undefined });
}
