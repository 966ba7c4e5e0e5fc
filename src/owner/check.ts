import type { Linked } from "../constraints/linked.js";
import { countBroken } from "../constraints/rows.js";
import { missingCode } from "../domain/stored.js";
import { asUtf8, type CsvSource, encodingOf } from "../files/bytes.js";
import type { Cells } from "../files/cells.js";
import { ByteDictionary, REMEMBERED } from "../files/dictionary.js";
import { type CsvOptions, feed } from "../files/feed.js";
import { checkHeader, columnNames, headerRule } from "../files/header.js";
import { RecordReader, recordsInto } from "../files/reader.js";
import { type ColumnSink, RowSink } from "../files/rows.js";
import { type CellCodes, modelledCodes } from "../files/table-columns.js";
import { cellReader } from "../schema/encode.js";
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
  const columns: CellCounts[] = [];
  const constrained = new Map<number, CellCodes>();
  const rows = new RowSink((header) => {
    checkHeader(header, schema);
    return columnNames(header).map((name) => {
      const field = schema.fields.find((candidate) => candidate.name === name);
      if (!field?.domain) return undefined;
      const counts = new CellCounts(field, schema);
      columns.push(counts);
      if (!schema.linked.some((group) => group.columns.includes(field.attribute!))) return counts;
      const codes = modelledCodes(field, schema);
      constrained.set(field.attribute!, codes);
      return bothOf(counts, codes);
    });
  });
  const records = new RecordReader(schema.dialect.skipLines ?? 0, headerRule(schema), recordsInto(rows));
  const known = new Set(schema.fields.map(({ name }) => name));
  return feed(
    source,
    (chunks) => asUtf8(chunks, encoding),
    {
      push: (bytes) => records.push(bytes),
      end() {
        records.end();
        const { rows: count, short, long, blank } = rows;
        const unknownColumns = columnNames(rows.names).filter((name) => !known.has(name)).length;
        const checks = columns.map((column) => column.check());
        const constraints = schema.linked.flatMap((group) => brokenConstraints(group, constrained, count));
        const table = { rows: count, short, long, blank, unknownColumns };
        return { private: false as const, ...table, columns: checks, constraints };
      },
    },
    options,
  );
}

/** Passes the cells of one column to two sinks. */
const bothOf = (one: ColumnSink, other: ColumnSink): ColumnSink => ({
  put(cells, first, stride, count) {
    one.put(cells, first, stride, count);
    other.put(cells, first, stride, count);
  },
  putMissing() {
    one.putMissing();
    other.putMissing();
  },
});

function brokenConstraints(group: Linked, codes: ReadonlyMap<number, CellCodes>, rows: number) {
  const stored = group.columns.map((column) => codes.get(column)!.taken());
  return countBroken(group, stored, rows).map((broken, at) => ({ constraint: group.constraints[at].text, broken }));
}

// What reading does to a cell.
const KEPT = 0;
const MISSING = 1;
const UNKNOWN = 2;
const CLIPPED = 3;

/** Counts one column's cells by what reading does to them. */
class CellCounts implements ColumnSink {
  readonly #field: Field;
  readonly #dictionary: ByteDictionary;
  readonly #counts = [0, 0, 0, 0];

  constructor(field: Field, schema: Schema) {
    this.#field = field;
    this.#dictionary = new ByteDictionary(judge(field, schema), REMEMBERED);
  }

  put(cells: Cells, first: number, stride: number, count: number): void {
    const judged = new Uint16Array(count);
    this.#dictionary.read(cells, first, stride, judged, 0, count);
    for (const what of judged) this.#counts[what]++;
  }

  putMissing(): void {
    this.#counts[MISSING]++;
  }

  check(): ColumnCheck {
    const { name, required, domain } = this.#field;
    const [, missing, unknown, clipped] = this.#counts;
    const category = domain!.kind === "category";
    return {
      name,
      missing: required ? 0 : missing,
      missingRequired: required ? missing : 0,
      unlisted: category ? unknown : 0,
      unparseable: category ? 0 : unknown,
      clipped,
    };
  }
}

/**
 * What reading does to a text, determined with the field's own reader. A reader without missing spellings and without a
 * category for unlisted texts answers "missing" for exactly those texts that have no value. On a grid with one extra
 * point at each end, exactly the values that would be clipped fall on the ends.
 */
function judge(field: Field, schema: Schema): (text: string) => number {
  const open: Field = { ...field, required: false, domain: opened(field.domain!) };
  const reader = cellReader(open, { ...schema, missingValues: [] });
  const unknown = missingCode(open);
  const last = open.domain!.kind === "grid" ? open.domain!.points - 1 : undefined;
  const missingValues = new Set(schema.missingValues);
  return (text) => {
    if (missingValues.has(text)) return MISSING;
    const code = reader.encode(text);
    if (code === unknown) return UNKNOWN;
    return last !== undefined && (code === 0 || code === last) ? CLIPPED : KEPT;
  };
}

function opened(domain: Domain): Domain {
  if (domain.kind === "category") return { ...domain, other: undefined };
  return { ...domain, minimum: domain.minimum - domain.step, points: domain.points + 2 };
}
