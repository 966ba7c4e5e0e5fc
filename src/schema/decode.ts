import { repairLinked } from "../constraints/rows.js";
import type { LinkedRows } from "../constraints/struct.js";
import { slices } from "../core/slices.js";
import { type Codec, type Codes, type Column, Table, type Value } from "../core/table.js";
import type { Attribute } from "../domain/attribute.js";
import type { Field } from "../domain/field.js";
import { type Grid, leafStarts, startsOf, valueAt } from "../domain/grid.js";
import { allocate, missingCode } from "../domain/stored.js";
import { Calls } from "../engine/calls.js";
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

/** The most codes that are decoded together, unless a single column has more. */
const MOST_CODES = 1 << 20;

/** The stored codes of each attribute. */
function storedCodes({ fields, attributes, linked }: Schema, codes: readonly Uint16Array[], seed: number): Codes[] {
  const engine = new Instance();
  const { length } = codes[0];
  const modelled = fields.filter(({ domain }) => domain);
  const stored: Codes[] = [...codes];
  const place = (columns: readonly number[]) =>
    placeColumns(
      engine,
      columns.map((at) => ({ field: modelled[at], attribute: attributes[at], codes: codes[at] })),
      seed,
    );
  const read = (columns: readonly number[], placed: readonly PlacedColumn[]) => {
    for (const [at, { stored: pointer, width }] of placed.entries())
      stored[columns[at]] = readCodes(engine, pointer, width, length);
  };
  const constrained = new Set(linked.flatMap(({ columns }) => columns));
  const alone = [...modelled.keys()].filter(
    (attribute) => modelled[attribute].domain!.kind === "grid" && !constrained.has(attribute),
  );
  for (const together of slices(alone, MOST_CODES, () => length)) engine.scratch(() => read(together, place(together)));
  for (const { columns, ...group } of linked)
    engine.scratch(() => {
      // Streams after those with which points are drawn.
      const placed = place(columns).map((rows, at) => ({ ...rows, stream: modelled.length + columns[at] }));
      for (const [at, rows] of placed.entries()) writeCells(engine, attributes[columns[at]], rows.modelled, length);
      repairLinked(engine, { columns, ...group }, placed, length, seed);
      read(columns, placed);
    });
  engine.drop();
  return stored;
}

interface PlacedColumn extends LinkedRows {
  readonly modelled: number;
}

/** Places columns' codes in an engine, and their stored codes: on grids, points drawn with the column's stream. */
function placeColumns(
  engine: Instance,
  columns: readonly { readonly field: Field; readonly attribute: Attribute; readonly codes: Uint16Array }[],
  seed: number,
): PlacedColumn[] {
  const gridOf = ({ domain }: Field) => (domain!.kind === "grid" ? domain : undefined);
  const modelled = engine.placeAll(columns.map(({ codes }) => codes));
  const widths = columns.map(({ field }) => (gridOf(field) ? allocate(field, 0).BYTES_PER_ELEMENT : 2));
  const stored = engine.reserve(columns.map(({ codes }, at) => widths[at] * codes.length));
  const starts = columns.map(({ field, attribute: { fine } }) => {
    const grid = gridOf(field);
    return grid ? startsOf(grid, fine) : new Float64Array();
  });
  const runs = engine.placeAll(starts);
  const calls = new Calls(engine);
  for (const [at, { field, codes }] of columns.entries()) {
    const { length } = codes;
    const grid = gridOf(field);
    if (grid)
      calls.add(
        "drawPoints",
        ...([stored[at], widths[at], modelled[at], length, runs[at], starts[at].length, grid.points] as const),
        ...([missingCode(field) ?? 0, seed, field.attribute!] as const),
      );
    else calls.add("copy", modelled[at], stored[at], 2 * length);
  }
  calls.run();
  return columns.map((_, at) => ({ stored: stored[at], width: widths[at], modelled: modelled[at] }));
}

/** Overwrites the codes of rows by their cells, between which constraints choose. */
function writeCells(engine: Instance, { size, missing, fine }: Attribute, codes: number, rows: number): void {
  if (fine === undefined) return;
  const starts = leafStarts(fine);
  const runs = engine.opened(
    engine.exports.runsOpen(engine.place(starts), starts.length, fine, missing ? fine : Number.NaN),
  );
  engine.exports.modelCodes(runs, codes, 2, rows, size - 1, codes);
}

function readCodes(engine: Instance, pointer: number, width: number, rows: number): Codes {
  if (width === 2) return engine.readU16(pointer, rows);
  return width === 4 ? engine.readU32(pointer, rows) : engine.readF64(pointer, rows);
}
