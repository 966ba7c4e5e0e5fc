import { Instance } from "../engine/instance.js";
import { asUtf8, type CsvSource, encodingOf } from "../files/bytes.js";
import { type CsvOptions, feed } from "../files/feed.js";
import { checkHeader, headerRule } from "../files/header.js";
import type { EngineReader } from "../files/hosted-reader.js";
import { RecordReader } from "../files/reader.js";
import type { Schema } from "../schema/schema.js";
import { CountedRows } from "./counted-rows.js";

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
  return feed(source, (chunks) => asUtf8(chunks, encoding), new CheckReader(schema), options);
}

/**
 * Checks a table as it is read.
 * @internal
 */
export class CheckReader implements EngineReader<TableCheck> {
  readonly engine = new Instance();
  readonly #records: RecordReader<CountedRows>;

  constructor(schema: Schema) {
    const { skipLines = 0 } = schema.dialect;
    this.#records = new RecordReader(this.engine, skipLines, headerRule(schema, this.engine), (header) => {
      checkHeader(header.names, schema);
      return new CountedRows(this.engine, schema, header);
    });
  }

  get records(): CountedRows | undefined {
    return this.#records.records;
  }

  push(bytes: Uint8Array): void {
    void this.#records.push(bytes);
  }

  end(): TableCheck {
    this.#records.end();
    return this.#records.records!.check();
  }

  close(): void {
    this.engine.exports.wipe();
    this.engine.drop();
  }
}
