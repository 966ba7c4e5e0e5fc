import { hearThreads, type RemoteWorker, startWorkers } from "../core/threads.js";
import type { Schema } from "../schema/schema.js";
import { Byte } from "./parser.js";
import { PieceReader, type ReadingJob, type ReadPiece } from "./piece-reader.js";
import type { RecordBytes } from "./reader.js";
import { RecordEnds } from "./record-ends.js";
import type { TableColumns } from "./table-columns.js";

/** Bytes that are read by one thread, about: enough that handing them over costs little, and few enough that no thread waits long for the last. */
const PIECE = 1 << 19;
/** Pieces that a worker has in hand, so that it does not wait while this thread reads one itself. */
const AHEAD = 3;

/**
 * Reads records in several threads: cuts their text into pieces of whole records, gives them to workers, reads those itself that find all
 * workers busy, and puts the rows together in their order. Whatever the number of threads, the rows are the same.
 */
export class Pieces implements RecordBytes {
  readonly #into: TableColumns;
  readonly #reader: PieceReader;
  readonly #newReader: () => PieceReader;
  readonly #workers: readonly RemoteWorker[];
  readonly #ends: RecordEnds;
  /** The text that is not given to a thread yet, and how much of it is whole records. */
  #text = new Uint8Array(2 * PIECE);
  #length = 0;
  #whole = 0;
  /** Whether a record is longer than a piece: this thread reads it as it comes. */
  #isLong = false;
  #mayStartWithLf: boolean;
  /** What was read, in order: nothing yet where a worker has not answered, and the text where it was lost. */
  readonly #read: (ReadPiece | Uint8Array | undefined)[] = [];
  /** How many pieces have gone into the table. */
  #joined = 0;
  readonly #answers: Promise<void>[] = [];

  /**
   * @param into gets the rows
   * @param header the record with the columns' names, which the schema fits
   */
  constructor(into: TableColumns, schema: Schema, delimiter: string, header: Uint8Array, threads: number) {
    this.#into = into;
    this.#newReader = () => new PieceReader(schema, delimiter, header);
    this.#reader = this.#newReader();
    this.#ends = new RecordEnds(delimiter);
    this.#mayStartWithLf = header.at(-1) === Byte.CR;
    const job: ReadingJob = { kind: "reading", descriptor: schema.toJSON(), delimiter, header };
    this.#workers = startWorkers(threads, job);
  }

  /** Takes more of the text. The promise, where there is one, lets workers be heard. */
  push(bytes: Uint8Array): void | Promise<void> {
    if (!bytes.length) return;
    const from = this.#mayStartWithLf && bytes[0] === Byte.LF ? 1 : 0;
    this.#mayStartWithLf = false;
    return this.#take(bytes.subarray(from));
  }

  /** Reads what is left. */
  end(): void {
    this.#reader.push(this.#text.subarray(0, this.#length));
    this.#add(this.#reader.taken());
  }

  /** Waits until all rows are in the table. Whether the workers started is known then, so that whether they failed is said whatever the table. */
  async finished(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.started));
    await Promise.all(this.#answers);
    this.#join();
  }

  /** Ends the workers, whatever they do. */
  close(): void {
    for (const worker of this.#workers) worker.end();
  }

  #take(bytes: Uint8Array): void | Promise<void> {
    const end = this.#ends.lastIn(bytes);
    if (this.#isLong) return this.#readOn(bytes, end);
    this.#keep(bytes);
    if (end) this.#whole = this.#length - bytes.length + end;
    if (this.#length < PIECE) return;
    if (this.#whole) return this.#deal();
    this.#isLong = true;
    this.#reader.push(this.#text.subarray(0, this.#length));
    this.#length = 0;
  }

  /** Reads on in a long record. */
  #readOn(bytes: Uint8Array, end: number): void {
    this.#reader.push(end ? bytes.subarray(0, end) : bytes);
    if (!end) return;
    this.#add(this.#reader.taken());
    this.#isLong = false;
    this.#keep(bytes.subarray(end));
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#text.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#text.subarray(0, this.#length));
      this.#text = larger;
    }
    this.#text.set(bytes, this.#length);
    this.#length = length;
  }

  /** Gives the whole records to the worker that has least to do, or reads them here. */
  #deal(): void | Promise<void> {
    const piece = this.#text.slice(0, this.#whole);
    this.#text.copyWithin(0, this.#whole, this.#length);
    this.#length -= this.#whole;
    this.#whole = 0;
    this.#join();
    const ready = this.#workers.filter(({ isReady, waiting }) => isReady && waiting < AHEAD);
    if (ready.length) {
      this.#send(
        piece,
        ready.reduce((least, next) => (next.waiting < least.waiting ? next : least)),
      );
      return;
    }
    this.#reader.push(piece);
    this.#add(this.#reader.taken());
    if (this.#workers.length) return hearThreads();
  }

  #send(piece: Uint8Array, worker: RemoteWorker): void {
    const place = this.#read.push(undefined) - 1;
    const put = (read: ReadPiece | Uint8Array) => {
      this.#read[place] = read;
    };
    this.#answers.push(
      worker.call(piece).then(
        (read) => put(read as ReadPiece),
        () => put(piece),
      ),
    );
  }

  #add(read: ReadPiece): void {
    this.#read.push(read);
    this.#join();
  }

  /** Puts into the table what is read up to the first piece that is not. */
  #join(): void {
    for (let read = this.#read[this.#joined]; read; read = this.#read[++this.#joined]) {
      this.#into.append(read instanceof Uint8Array ? this.#readAgain(read) : read);
      this.#read[this.#joined] = undefined;
    }
  }

  /** Reads what a worker has lost; with a reader of its own, since the other may be inside a long record. */
  #readAgain(piece: Uint8Array): ReadPiece {
    const reader = this.#newReader();
    reader.push(piece);
    return reader.taken();
  }
}
