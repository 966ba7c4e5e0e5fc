import { repairLinked } from "../constraints/rows.js";
import type { LinkedRows } from "../constraints/struct.js";
import { type Codec, type Codes, type Column, Table, type Value } from "../core/table.js";
import type { Field } from "../domain/field.js";
import { type Grid, valueAt } from "../domain/grid.js";
import { allocate, missingCode } from "../domain/stored.js";
import { Instance } from "../engine/instance.js";
import { notationStruct } from "../notation/struct.js";
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
      texts: {
        kind: "listed",
        list: () => (missing === undefined ? domain.labels : [...domain.labels, gap]),
      },
    };
  const text = remembered(domain, (point) => notation.write(valueAt(domain, point)));
  const value = remembered<Value>(domain, (point) => notation.value(valueAt(domain, point)));
  return {
    value: (code) => (code === missing ? null : value(code)),
    text: (code) => (code === missing ? gap : text(code)),
    texts: {
      kind: "points",
      points: domain.points,
      missing: gap ?? "",
      notation: () => notationStruct(notation.spelling, domain),
    },
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
 * @param seed of the random words for the draws
 */
export function decodeRows(
  schema: Schema,
  names: readonly string[],
  delimiter: string,
  codes: readonly Uint16Array[],
  seed: number,
): Table {
  const length = codes[0].length;
  const stored = storedCodes(schema, codes, seed);
  const columns = names.map((name): Column => {
    const field = schema.fields.find((candidate) => candidate.name === name)!;
    const own = field.attribute === undefined ? Uint32Array.from({ length }, (_, row) => row) : stored[field.attribute];
    return { name, codes: own, codec: codecOf(field, schema) };
  });
  return new Table(columns, length, delimiter, undefined, schema.toJSON());
}

/** The stored codes of each attribute. */
function storedCodes({ fields, linked }: Schema, codes: readonly Uint16Array[], seed: number): Codes[] {
  const engine = new Instance();
  const modelled = fields.filter(({ domain }) => domain);
  const stored: Codes[] = [...codes];
  const place = (attribute: number) => placeColumn(engine, modelled[attribute], codes[attribute], seed);
  const read = (attribute: number, { stored: pointer, width }: LinkedRows) => {
    stored[attribute] = readCodes(engine, pointer, width, codes[attribute].length);
  };
  const constrained = new Set(linked.flatMap(({ columns }) => columns));
  for (const [attribute, { domain }] of modelled.entries())
    if (domain!.kind === "grid" && !constrained.has(attribute)) engine.scratch(() => read(attribute, place(attribute)));
  for (const group of linked)
    engine.scratch(() => {
      // Streams after those with which points are drawn.
      const placed = group.columns.map((column) => ({ ...place(column), stream: modelled.length + column }));
      repairLinked(engine, group, placed, codes[0].length, seed);
      for (const [at, column] of group.columns.entries()) read(column, placed[at]);
    });
  engine.drop();
  return stored;
}

/** Places a column's codes in an engine, and its stored codes: on a grid, points drawn with the column's stream. */
function placeColumn(engine: Instance, field: Field, codes: Uint16Array, seed: number): LinkedRows {
  const { domain, attribute } = field;
  const modelled = engine.place(codes);
  if (domain!.kind === "category") return { stored: engine.place(codes), width: 2, modelled };
  const { starts, points } = domain!;
  const width = allocate(field, 0).BYTES_PER_ELEMENT;
  const stored = engine.alloc(Math.max(1, width * codes.length));
  const missing = missingCode(field) ?? 0;
  const runs = engine.place(starts);
  engine.exports.drawPoints(
    ...([stored, width, modelled, codes.length, runs, starts.length, points, missing, seed, attribute!] as const),
  );
  return { stored, width, modelled };
}

function readCodes(engine: Instance, pointer: number, width: number, rows: number): Codes {
  if (width === 2) return engine.readU16(pointer, rows);
  return width === 4 ? engine.readU32(pointer, rows) : engine.readF64(pointer, rows);
}
