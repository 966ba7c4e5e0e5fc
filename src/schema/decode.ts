import { enforceLinked } from "../constraints/enforce.js";
import { type Codec, type Codes, type Column, Table, type Value } from "../core/table.js";
import type { Field } from "../domain/field.js";
import { type Grid, pointIn, valueAt } from "../domain/grid.js";
import { allocate, missingCode } from "../domain/stored.js";
import type { Schema } from "./schema.js";

/**
 * How a field's stored codes read, as the schema spells them: missing as the first of `missingValues`, numbers with the
 * granularity's decimals, dates and times in their format, booleans as the first of their spellings, ids as their row's
 * number.
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

/** Caches how the points of small grids read, so a million rows cost one array access each. */
function remembered<T>({ points }: Grid, read: (point: number) => T): (point: number) => T {
  if (points > 65_536) return read;
  const known: T[] = [];
  return (point) => {
    known[point] ??= read(point);
    return known[point];
  };
}

/**
 * Synthetic rows as a table. Grid points are drawn uniformly inside each code's run, then changed in rows that break a
 * constraint of the schema. Ids are counted; `drop` columns are left out.
 * @param names the output's columns in order
 * @param codes one array per attribute, all of the same length
 * @param words random words for the draws, one per row, in two streams per attribute: `attribute` and
 *   `attributes.length + attribute`
 */
export function decodeRows(
  schema: Schema,
  names: readonly string[],
  delimiter: string,
  codes: readonly Uint16Array[],
  words: (stream: number) => Uint32Array,
): Table {
  const length = codes[0].length;
  const stored = modelledCodes(schema, codes, words);
  const columns = names.map((name): Column => {
    const field = schema.fields.find((candidate) => candidate.name === name)!;
    const own = field.attribute === undefined ? Uint32Array.from({ length }, (_, row) => row) : stored[field.attribute];
    return { name, codes: own, codec: codecOf(field, schema) };
  });
  return new Table(columns, length, delimiter, undefined, schema.toJSON());
}

/** The stored codes of each attribute. */
function modelledCodes(
  { fields, attributes, linked }: Schema,
  codes: readonly Uint16Array[],
  words: (stream: number) => Uint32Array,
): Codes[] {
  const constrained = new Set(linked.flatMap(({ columns }) => columns));
  const stored = fields
    .filter(({ domain }) => domain)
    .map((field, attribute): Codes => {
      if (field.domain!.kind === "grid")
        return drawnPoints(field, field.domain as Grid, codes[attribute], words(attribute));
      return constrained.has(attribute) ? codes[attribute].slice() : codes[attribute];
    });
  for (const group of linked)
    enforceLinked(group, {
      stored: group.columns.map((column) => stored[column]),
      codes: group.columns.map((column) => codes[column].slice()),
      words: group.columns.map((column) => words(attributes.length + column)),
    });
  return stored;
}

function drawnPoints(field: Field, grid: Grid, codes: Uint16Array, words: Uint32Array): Codes {
  const missing = missingCode(field);
  const points = allocate(field, codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    points[row] = code === grid.starts.length ? missing! : pointIn(grid, code, words[row]);
  }
  return points;
}
