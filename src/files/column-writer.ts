import type { Column, Table } from "../core/table.js";
import type { Grid } from "../domain/grid.js";
import { bytesPerCode } from "../domain/stored.js";
import { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  SPELLED_IDS,
  SPELLED_POINTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_FORMAT,
  SPELLING_KIND,
  SPELLING_POINTS,
  SPELLING_WIDTH,
} from "../engine/layout.js";
import { StoredCodes } from "../engine/stored-codes.js";
import { Struct } from "../engine/struct.js";
import { type Field, parseSchema } from "../schema/schema.js";
import { ARRAY_TYPES, type ArrayPlaces, type ArrayType } from "./arrays.js";
import { idStruct } from "./record-writer.js";

/** A column of a table as arrays. */
export interface ArrayColumn {
  readonly name: string;
  readonly type: ArrayType;
  /** The texts of a dictionary, as the schema has them. */
  readonly labels?: readonly string[];
  /** Of moments that are whole days. */
  readonly unit?: "day";
  /** Of moments in UTC: the offset at which the schema states them, in seconds east. */
  readonly offset?: number;
}

/** Rows of a column in the engine, until the next ones are asked for. */
export interface ArrayRows extends ArrayPlaces {
  /** The bytes of the texts. */
  readonly bytes: number;
  readonly rows: number;
}

/** The numbers of a column: (minimum + code·step)/divisor. */
interface Scale {
  readonly minimum: bigint;
  readonly step: bigint;
  readonly divisor: number;
}

/** What is written of a column; without a scale, texts. */
interface Form {
  readonly facts: Omit<ArrayColumn, "name">;
  readonly scale?: Scale;
}

/** A column in the engine. */
interface Written {
  readonly column: Column;
  readonly form: Form;
  /** Its SPELLING. */
  readonly spelling: number;
  /** Bytes per code; 0 if the codes are the rows' numbers. */
  readonly width: number;
  /** The most bytes of a text. */
  readonly widest: number;
}

const CODES: Scale = { minimum: 0n, step: 1n, divisor: 1 };
const TEXT: Form = { facts: { type: "text" } };
const MICROSECONDS = { d: 86_400_000_000n, s: 1_000_000n };
/** Whole numbers below this, and powers of ten up to this exponent, are exact as doubles. */
const MOST_EXACT = 2n ** 53n;
const MOST_PLACES = 22;
/** The most digits of a row's number. */
const ROW_DIGITS = 20;
const VALUE_BYTES = { dictionary: 4, i64: 8, f64: 8, moment: 8, text: 0 };

/** Writes the columns of a table into an engine, as arrays of numbers or texts. */
export class ColumnWriter {
  readonly engine = new Instance();
  readonly #rows: number;
  readonly #columns: readonly Written[];
  /** The arrays lie above it. */
  readonly #mark: number;

  constructor({ columns, length, descriptor }: Table) {
    const { fields } = parseSchema(descriptor);
    this.#rows = length;
    this.#columns = columns.map((column) => this.#opened(column, fields.find(({ name }) => name === column.name)!));
    this.#mark = this.engine.exports.mark();
  }

  get columns(): ArrayColumn[] {
    return this.#columns.map(({ column, form }) => ({ name: column.name, ...form.facts }));
  }

  /**
   * The arrays of rows of a column, in place of those that it wrote last.
   * @param place the column's number
   * @param from the number of the first row
   * @param most how many rows; fewer, down to none, if the table has fewer
   * @throws {StandinError} `engine/memory`; `table/wiped`
   */
  rows(place: number, from: number, most: number): ArrayRows {
    const { engine } = this;
    const { column, form, spelling, width, widest } = this.#columns[place];
    const rows = Math.max(0, Math.min(most, this.#rows - from));
    const room = (bytes: number) => (bytes ? engine.alloc(bytes) : 0);
    engine.exports.rewind(this.#mark);
    const codes = engine.alloc(Math.max(1, width * rows));
    if (width) copyCodes(engine, column, width, codes, from, rows);
    engine.write(spelling + SPELLING_CODES, Uint32Array.of(codes));
    const validity = engine.alloc(Math.max(1, Math.ceil(rows / 8)));
    const { type } = form.facts;
    const values = room(VALUE_BYTES[type] * rows);
    if (form.scale) {
      const { minimum, step, divisor } = form.scale;
      const kind = type === "moment" ? ARRAY_TYPES.i64 : ARRAY_TYPES[type];
      engine.exports.writeValues(...([spelling, rows, kind, minimum, step, divisor, values, validity] as const));
      return { values, offsets: 0, texts: 0, validity, bytes: 0, rows };
    }
    const offsets = engine.alloc(4 * (rows + 1));
    const texts = engine.alloc(Math.max(1, widest * rows));
    const end = engine.exports.writeTexts(spelling, from, rows, offsets, texts, validity) >>> 0;
    return { values, offsets, texts, validity, bytes: end - texts, rows };
  }

  /** Overwrites the arrays with zeros, and gives the engine back. */
  close(): void {
    this.engine.exports.wipe();
    this.engine.drop();
  }

  #opened(column: Column, field: Field): Written {
    const { engine } = this;
    const { texts } = column.codec;
    const struct = new Struct(SPELLING_BYTES);
    const isId = texts.kind === "id";
    const form = formOf(field);
    let widest = 0;
    if (isId) {
      const format = idStruct(texts.pattern, texts.base);
      struct.u32(SPELLING_FORMAT, engine.place(format));
      widest = format.length + ROW_DIGITS;
    } else if (texts.kind === "points") {
      const format = engine.place(texts.notation());
      struct.u32(SPELLING_FORMAT, format);
      widest = engine.exports.pointBytes(format);
    }
    const width = isId ? 0 : bytesPerCode(field);
    struct.u32(SPELLING_KIND, isId ? SPELLED_IDS : SPELLED_POINTS);
    struct.u32(SPELLING_WIDTH, width);
    struct.f64(SPELLING_POINTS, isId ? 0 : pointsOf(field));
    return { column, form, spelling: engine.place(struct.bytes), width, widest };
  }
}

/** How many codes stand for values; any other one is missing. */
const pointsOf = ({ domain }: Field) => (domain!.kind === "grid" ? domain!.points : domain!.labels.length);

/** Copies the codes of rows to memory of an engine. Those that another engine holds do not pass through here. */
function copyCodes(engine: Instance, column: Column, width: number, pointer: number, from: number, rows: number): void {
  if (!(column instanceof StoredCodes)) {
    engine.write(pointer, column.codes.subarray(from, from + rows));
    return;
  }
  const { engine: store, blockAt } = column;
  for (let done = 0; done < rows; ) {
    const [block, first] = [Math.floor((from + done) / BLOCK_ROWS), (from + done) % BLOCK_ROWS];
    const count = Math.min(BLOCK_ROWS - first, rows - done);
    engine.copy(pointer + width * done, store, blockAt(block) + width * first, width * count);
    done += count;
  }
}

function formOf({ domain, notation, type }: Field): Form {
  if (!domain) return TEXT;
  if (domain.kind === "category") return { facts: { type: "dictionary", labels: domain.labels }, scale: CODES };
  const { spelling } = notation!;
  if (spelling.unit === "") return numbersOf(domain);
  const scale = type === "time" ? undefined : wholeScale(domain, MICROSECONDS[spelling.unit]);
  if (!scale) return TEXT;
  const more = spelling.unit === "d" ? { unit: "day" as const } : { offset: spelling.offset?.seconds };
  return { facts: { type: "moment", ...more }, scale };
}

function numbersOf(grid: Grid): Form {
  const whole = wholeScale(grid, 1n);
  if (whole) return { facts: { type: "i64" }, scale: whole };
  const { minimum, step, scale, points } = grid;
  const last = minimum + step * BigInt(points - 1);
  if (scale > MOST_PLACES || minimum <= -MOST_EXACT || last >= MOST_EXACT) return TEXT;
  return { facts: { type: "f64" }, scale: { minimum, step, divisor: Number(`1e${scale}`) } };
}

/** The points of a grid in units of which `units` are 1, if all are whole numbers of 64 bits. */
function wholeScale({ minimum, step, scale, points }: Grid, units: bigint): Scale | undefined {
  const one = 10n ** BigInt(scale);
  if ((minimum * units) % one || (step * units) % one) return undefined;
  const [first, stride] = [(minimum * units) / one, (step * units) / one];
  const last = first + stride * BigInt(points - 1);
  const fit = BigInt.asIntN(64, first) === first && BigInt.asIntN(64, last) === last;
  return fit ? { minimum: first, step: stride, divisor: 1 } : undefined;
}
