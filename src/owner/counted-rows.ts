// What reading does to the rows of a table, counted exactly.
import type { Linked } from "../constraints/linked.js";
import { countBroken } from "../constraints/rows.js";
import { placeLinked } from "../constraints/struct.js";
import type { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { columnNames } from "../files/header.js";
import { moveInto } from "../files/hosted-reader.js";
import { type EngineBytes, type Header, writeInto } from "../files/reader.js";
import { TableReader } from "../files/table-reader.js";
import { type CellRule, cellRule } from "../schema/encode.js";
import type { Domain, Field, Schema } from "../schema/schema.js";
import type { ColumnCheck, TableCheck } from "./check.js";

/** Counts the rows of a table as they are read, in memory that does not depend on how many they are. */
export class CountedRows implements EngineBytes {
  readonly #engine: Instance;
  readonly #names: readonly string[];
  readonly #schema: Schema;
  readonly #columns: readonly (CellCounts | undefined)[];
  readonly #reader: TableReader;
  readonly #constrained: ConstrainedRows | undefined;
  #rows = 0;
  /** Where the next bytes are written. */
  #room = 0;

  constructor(engine: Instance, schema: Schema, header: Header) {
    this.#engine = engine;
    this.#names = columnNames(header.names);
    this.#schema = schema;
    const fields = this.#names.map((name) => schema.fields.find((field) => field.name === name));
    this.#columns = fields.map((field) => (field?.domain ? new CellCounts(field, schema) : undefined));
    const rules = this.#columns.map((column) => column?.rule);
    this.#reader = new TableReader(engine, header.delimiter, rules, header.endsInReturn);
    if (schema.linked.length) this.#constrained = new ConstrainedRows(engine, schema, header, fields);
  }

  push(bytes: Uint8Array): void {
    writeInto(this.#engine, this, bytes);
  }

  room(bytes: number): number {
    this.#room = this.#reader.room(bytes);
    return this.#room;
  }

  took(bytes: number): void {
    // First, since a reader changes the bytes that it has taken.
    if (this.#constrained) moveInto(this.#engine, this.#constrained.reader, this.#room, bytes);
    this.#reader.took(bytes);
    if (this.#reader.rows >= BLOCK_ROWS) this.#count();
  }

  end(): void {
    this.#reader.end();
    this.#constrained?.reader.end();
    this.#count();
  }

  check(): TableCheck {
    const known = new Set(this.#schema.fields.map(({ name }) => name));
    return {
      private: false,
      rows: this.#rows,
      ...this.#reader.uneven,
      unknownColumns: this.#names.filter((name) => !known.has(name)).length,
      columns: this.#columns.flatMap((column) => column?.check() ?? []),
      constraints: this.#constrained?.check() ?? [],
    };
  }

  /** Counts the rows that the readers hold, which then forget them. */
  #count(): void {
    for (const [place, column] of this.#columns.entries()) column?.add((code) => this.#reader.count(place, code));
    this.#rows += this.#reader.rows;
    this.#reader.restart();
    this.#constrained?.count();
  }
}

/** Counts the rows that break constraints between columns. They are read once more, with the codes of the schema. */
class ConstrainedRows {
  readonly reader: TableReader;
  readonly #engine: Instance;
  readonly #groups: readonly {
    readonly group: Linked;
    /** The places of its columns in the header. */
    readonly places: readonly number[];
    /** The problem in the engine, with each of the blocks that rows have taken so far. */
    readonly placed: number[];
    readonly broken: number[];
  }[];

  constructor(
    engine: Instance,
    schema: Schema,
    { delimiter, endsInReturn }: Header,
    fields: readonly (Field | undefined)[],
  ) {
    const placeOf = (column: number) => fields.findIndex((field) => field?.attribute === column);
    this.#groups = schema.linked.map((group) => ({
      group,
      places: group.columns.map(placeOf),
      placed: [],
      broken: group.constraints.map(() => 0),
    }));
    const constrained = new Set(this.#groups.flatMap(({ places }) => places));
    const rules = fields.map((field, place) => (constrained.has(place) ? cellRule(field!, schema) : undefined));
    this.reader = new TableReader(engine, delimiter, rules, endsInReturn);
    this.#engine = engine;
  }

  check(): TableCheck["constraints"] {
    return this.#groups.flatMap(({ group, broken }) =>
      broken.map((count, at) => ({ constraint: group.constraints[at].text, broken: count })),
    );
  }

  /** Counts the rows that the reader holds, which then forgets them. */
  count(): void {
    const { rows } = this.reader;
    for (const { group, places, placed, broken } of this.#groups)
      for (let block = 0; block * BLOCK_ROWS < rows; block++) {
        placed[block] ??= this.#place(group, places, block);
        const inBlock = Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS);
        for (const [at, count] of countBroken(this.#engine, group, placed[block], inBlock).entries())
          broken[at] += count;
      }
    this.reader.restart();
  }

  #place({ problem }: Linked, places: readonly number[], block: number): number {
    const columns = places.map((place) => {
      const { bytes, blockAt } = this.reader.stored(place);
      return { stored: blockAt(block), width: bytes };
    });
    return placeLinked(this.#engine, problem, columns);
  }
}

/** Counts one column's cells by what reading does to them. */
class CellCounts {
  readonly #field: Field;
  /** Reads cells so that everything that reading can do to one has a code of its own. */
  readonly rule: CellRule;
  #missing = 0;
  #unknown = 0;
  #clipped = 0;

  constructor(field: Field, schema: Schema) {
    this.#field = field;
    this.rule = judging(field, schema);
  }

  /** @param times how many more cells have a code */
  add(times: (code: number) => number): void {
    const { domain } = this.#field;
    this.#missing += times(this.rule.missing);
    this.#unknown += times(this.rule.otherwise);
    if (domain!.kind === "grid") this.#clipped += times(0) + times(domain!.points + 1);
  }

  check(): ColumnCheck {
    const { name, required, domain } = this.#field;
    const category = domain!.kind === "category";
    return {
      name,
      missing: required ? 0 : this.#missing,
      missingRequired: required ? this.#missing : 0,
      unlisted: category ? this.#unknown : 0,
      unparseable: category ? 0 : this.#unknown,
      clipped: this.#clipped,
    };
  }
}

/**
 * The field's own rule with codes that tell what reading does to a text: one for missing cells, one for texts without a
 * value. On a grid with one extra point at each end, exactly the values that would be clipped fall on the ends.
 */
function judging(field: Field, schema: Schema): CellRule {
  const domain = opened(field.domain!);
  const [otherwise, missing, bytes] = spareCodes(domain);
  return { ...cellRule({ ...field, domain }, schema), bytes, missing, absent: missing, otherwise };
}

/** Two codes that are no value, and the bytes that hold them and all values. */
function spareCodes(domain: Domain): [otherwise: number, missing: number, bytes: CellRule["bytes"]] {
  if (domain.kind === "category") return [domain.labels.length, domain.labels.length + 1, 2];
  if (domain.points < 0xffff) return [0xfffe, 0xffff, 2];
  return domain.points < 0xffffffff ? [0xfffffffe, 0xffffffff, 4] : [-2, -1, 8];
}

function opened(domain: Domain): Domain {
  if (domain.kind === "category") return { ...domain, other: undefined };
  return { ...domain, minimum: domain.minimum - domain.step, points: domain.points + 2 };
}
