import type { Linked } from "../constraints/linked.js";
import { countBroken } from "../constraints/rows.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { asUtf8, type CsvSource, encodingOf } from "../files/bytes.js";
import { type CsvOptions, feed } from "../files/feed.js";
import { checkHeader, columnNames, headerRule } from "../files/header.js";
import { type Header, RecordReader } from "../files/reader.js";
import { TableReader } from "../files/table-reader.js";
import { type CellRule, cellRule } from "../schema/encode.js";
import type { Domain, Field, Schema } from "../schema/schema.js";

/** How many cells of a modelled column reading would change, or find missing. */
export interface ColumnCheck {
  readonly name: string;
  /** Missing cells, if the field may be missing. */
  readonly missing: number;
  /** Missing cells, if the field is required. */
  readonly missingRequired: number;
  /** Text that is not one of the categories. */
  readonly unlisted: number;
  /** Text that is not a value of the type. */
  readonly unparseable: number;
  /** Values that would be moved to the nearest bound, because they lie beyond it by half a step of the grid or more. */
  readonly clipped: number;
}

/** How well a table fits a schema, counted exactly from its rows. NOT PRIVATE: only for the table's owner. */
export interface TableCheck {
  readonly private: false;
  readonly rows: number;
  /** The numbers of records with too few cells, of records with too many, and of blank lines that are not records. */
  readonly short: number;
  readonly long: number;
  readonly blank: number;
  /** The number of columns of the file that the schema does not have. */
  readonly unknownColumns: number;
  readonly columns: readonly ColumnCheck[];
  /** For each constraint between columns, the number of records that break it as they are read. */
  readonly constraints: readonly { readonly constraint: string; readonly broken: number }[];
}

/**
 * Counts what reading a table with a schema would change. NOT PRIVATE: exact counts from the real rows, only for their
 * owner.
 * @throws {StandinError} as in `readCsv`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const { columns } = await nonPrivateCheck(new Blob(["sex\nF\nm\n"]), schema);
 * columns[0].unlisted; // → 1
 */
export async function nonPrivateCheck(
  source: CsvSource,
  schema: Schema,
  options: CsvOptions = {},
): Promise<TableCheck> {
  const encoding = encodingOf(schema);
  const engine = new Instance();
  let rows: CountedRows | undefined;
  const rule = headerRule(schema, engine);
  const records = new RecordReader(engine, schema.dialect.skipLines ?? 0, rule, (header) => {
    checkHeader(header.names, schema);
    rows = new CountedRows(engine, schema, header);
    return rows;
  });
  return feed(
    source,
    (chunks) => asUtf8(chunks, encoding),
    {
      push: (bytes) => records.push(bytes),
      end() {
        records.end();
        return rows!.check();
      },
    },
    options,
  );
}

/** Counts the rows of a table as they are read. */
class CountedRows {
  readonly #names: readonly string[];
  readonly #schema: Schema;
  readonly #columns: readonly (CellCounts | undefined)[];
  readonly #reader: TableReader;
  #rows = 0;
  /** Keeps the codes of constrained columns, if there are any. */
  readonly #constrained: TableReader | undefined;

  constructor(engine: Instance, schema: Schema, { names, delimiter, endsInReturn }: Header) {
    this.#names = columnNames(names);
    this.#schema = schema;
    const fields = this.#names.map((name) => schema.fields.find((field) => field.name === name));
    this.#columns = fields.map((field) => (field?.domain ? new CellCounts(field, schema) : undefined));
    const rules = this.#columns.map((column) => column?.rule);
    this.#reader = new TableReader(engine, delimiter, rules, endsInReturn);
    if (!schema.linked.length) return;
    const constrained = new Set(schema.linked.flatMap(({ columns }) => columns));
    const kept = fields.map((field) =>
      field?.domain && constrained.has(field.attribute!) ? cellRule(field, schema) : undefined,
    );
    this.#constrained = new TableReader(engine, delimiter, kept, endsInReturn);
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
    if (this.#reader.rows >= BLOCK_ROWS) this.#count();
    this.#constrained?.push(bytes);
  }

  end(): void {
    this.#reader.end();
    this.#count();
    this.#constrained?.end();
  }

  check(): TableCheck {
    const known = new Set(this.#schema.fields.map(({ name }) => name));
    return {
      private: false,
      rows: this.#rows,
      ...this.#reader.uneven,
      unknownColumns: this.#names.filter((name) => !known.has(name)).length,
      columns: this.#columns.flatMap((column) => column?.check() ?? []),
      constraints: this.#schema.linked.flatMap((group) => this.#broken(group)),
    };
  }

  /** Counts the rows that the reader holds, which then forgets them. */
  #count(): void {
    for (const [place, column] of this.#columns.entries()) column?.add((code) => this.#reader.count(place, code));
    this.#rows += this.#reader.rows;
    this.#reader.restart();
  }

  #broken(group: Linked) {
    const { attributes } = this.#schema;
    const places = group.columns.map((column) => this.#names.indexOf(attributes[column].name));
    const stored = places.map((place) => this.#constrained!.stored(place).codes);
    return countBroken(group, stored, this.#rows).map((broken, at) => ({
      constraint: group.constraints[at].text,
      broken,
    }));
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
