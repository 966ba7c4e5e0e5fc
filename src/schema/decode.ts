import { type Codec, type Column, Table, type Value } from "../core/table.js";
import type { Field } from "./field.js";
import { type Grid, pointIn, valueAt } from "./grid.js";
import type { Schema } from "./schema.js";
import { allocate, missingCode } from "./stored.js";

/**
 * How a field's stored codes read, as the schema spells them: missing as the first of `missingValues`, numbers at the granularity's
 * decimals, dates and times in their format, booleans as the first of their spellings, ids as their row's number.
 */
export function codecOf(field: Field, schema: Schema): Codec {
  if (field.id) return field.id;
  const [domain, notation] = [field.domain!, field.notation!];
  const missing = missingCode(field);
  const gap = schema.missingValues[0];
  if (domain.kind === "category")
    return {
      value: (code) => (code === missing ? null : domain.values[code]),
      text: (code) => (code === missing ? gap : domain.labels[code]),
    };
  const text = remembered(domain, (point) => notation.write(valueAt(domain, point)));
  const value = remembered<Value>(domain, (point) => notation.value(valueAt(domain, point)));
  return {
    value: (code) => (code === missing ? null : value(code)),
    text: (code) => (code === missing ? gap : text(code)),
  };
}

/** Remembers what small grids' points read as; a million rows then cost an array access each. */
function remembered<T>({ points }: Grid, read: (point: number) => T): (point: number) => T {
  if (points > 65_536) return read;
  const known: T[] = [];
  return (point) => {
    known[point] ??= read(point);
    return known[point];
  };
}

/**
 * Synthetic rows as a table: grid points are drawn uniformly inside each code's run, ids are counted, `drop` columns are left out.
 * @param names the output's columns in order
 * @param codes one array an attribute, equally long
 * @param words random words for the draws, one a row, for the attributes that need them
 */
export function decodeRows(
  schema: Schema,
  names: readonly string[],
  delimiter: string,
  codes: readonly Uint16Array[],
  words: (attribute: number) => Uint32Array,
): Table {
  const length = codes[0].length;
  const columns = names.map((name): Column => {
    const field = schema.fields.find((candidate) => candidate.name === name)!;
    return { name, codes: storedCodes(field, length, codes, words), codec: codecOf(field, schema) };
  });
  return new Table(columns, length, delimiter);
}

function storedCodes(
  field: Field,
  length: number,
  codes: readonly Uint16Array[],
  words: (attribute: number) => Uint32Array,
) {
  const { domain, attribute } = field;
  if (domain === undefined || attribute === undefined) return Uint32Array.from({ length }, (_, row) => row);
  if (domain.kind === "category") return codes[attribute];
  const missing = missingCode(field);
  const points = allocate(field, length);
  const random = words(attribute);
  for (let row = 0; row < length; row++) {
    const code = codes[attribute][row];
    points[row] = code === domain.starts.length ? missing! : pointIn(domain, code, random[row]);
  }
  return points;
}
