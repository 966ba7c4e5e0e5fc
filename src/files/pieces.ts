import { hearThreads, type RemoteWorker, startWorkers } from "../core/threads.js";
import type { Schema } from "../schema/schema.js";
import { Byte } from "./parser.js";
import { PieceReader, type ReadingJob, type ReadPiece } from "./piece-reader.js";
import type { RecordBytes } from "./reader.js";
import type { TableColumns } from "./table-columns.js";

/** Bytes that one thread reads at a time: enough that handing them over costs little, and few enough that no thread waits long for the last ones. */
const PIECE = 1 << 19;
/** Pieces that a worker has in hand, so that it does not wait while this thread reads one itself. */
const AHEAD = 3;

/** A piece of the text that is not in the table yet. */
interface Piece {
  readonly text: Uint8Array;
  /** What a thread read in it, as if a record began with it; absent where it has not answered. */
  read?: ReadPiece;
}

/**
 * Reads records in several threads. Their text is cut at line ends, by a guess: that these lie outside quotes. Workers get the pieces, and
 * this thread reads those that find all workers busy. Whoever reads a piece knows whether a record ends with it, so that in the end every
 * guess is known to be right, or the piece is read again, together with the next ones up to the end of the record (as Ge et al., "Speculative
 * Distributed CSV Data Parsing for Big Data Analytics", SIGMOD 2019, do). Whatever the number of threads, the rows are the same.
 */
export class Pieces implements RecordBytes {
  readonly #into: TableColumns;
  readonly #newReader: () => PieceReader;
  readonly #reader: PieceReader;
  readonly #workers: readonly RemoteWorker[];
  /** The text that is not cut yet. */
  #text = new Uint8Array(2 * PIECE);
  #length = 0;
  #mayStartWithLf: boolean;
  /** What is not in the table, in order. */
  readonly #pieces: Piece[] = [];
  /** Reads what was cut inside a record. */
  #rereader: PieceReader | undefined;
  readonly #answers: Promise<void>[] = [];

  /**
   * @param into gets the rows
   * @param header the record with the columns' names, which the schema fits
   */
  constructor(into: TableColumns, schema: Schema, delimiter: string, header: Uint8Array, threads: number) {
    this.#into = into;
    this.#newReader = () => new PieceReader(schema, delimiter, header);
    this.#reader = this.#newReader();
    this.#mayStartWithLf = header.at(-1) === Byte.CR;
    const job: ReadingJob = { kind: "reading", descriptor: schema.toJSON(), delimiter, header };
    this.#workers = startWorkers(threads, job);
  }

  /** Takes more of the text. The promise, where there is one, lets workers be heard. */
  push(bytes: Uint8Array): void | Promise<void> {
    if (!bytes.length) return;
    this.#keep(bytes.subarray(this.#mayStartWithLf && bytes[0] === Byte.LF ? 1 : 0));
    this.#mayStartWithLf = false;
    if (this.#length >= PIECE) return this.#deal(this.#cut());
  }

  /** Reads what is left. */
  end(): void {
    this.#readHere(this.#text.slice(0, this.#length));
  }

  /** Waits until all rows are in the table, and for all workers to start, so that it depends on no row whether it is said that they fail. */
  async finished(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.started));
    await Promise.all(this.#answers);
    this.#join();
    if (this.#rereader) this.#into.append(this.#rereader.taken());
  }

  /** Ends the workers, whatever they do. */
  close(): void {
    for (const worker of this.#workers) worker.end();
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

  /** Takes the text up to its last line end; where there is none, all of it but a CR that an LF may follow. */
  #cut(): Uint8Array {
    const text = this.#text.subarray(0, this.#length);
    const whole = text.subarray(0, text.at(-1) === Byte.CR ? -1 : undefined);
    const end = Math.max(whole.lastIndexOf(Byte.LF), whole.lastIndexOf(Byte.CR)) + 1 || whole.length;
    const piece = text.slice(0, end);
    this.#text.copyWithin(0, end, this.#length);
    this.#length -= end;
    return piece;
  }

  /** Gives a piece to the worker that has least to do, or reads it here. */
  #deal(text: Uint8Array): void | Promise<void> {
    this.#join();
    const free = this.#workers.filter(({ isReady, waiting }) => isReady && waiting < AHEAD);
    if (!free.length) {
      this.#readHere(text);
      return this.#workers.length ? hearThreads() : undefined;
    }
    this.#send(
      text,
      free.reduce((least, next) => (next.waiting < least.waiting ? next : least)),
    );
  }

  #readHere(text: Uint8Array): void {
    this.#reader.push(text);
    this.#pieces.push({ text, read: this.#reader.taken() });
  }

  #send(text: Uint8Array, worker: RemoteWorker): void {
    const piece: Piece = { text };
    this.#pieces.push(piece);
    const put = (read: ReadPiece) => {
      piece.read = read;
    };
    this.#answers.push(
      worker.call(text).then(
        (read) => put(read as ReadPiece),
        () => put(LOST),
      ),
    );
  }

  /** Puts into the table what is known of the text, in its order. */
  #join(): void {
    let joined = 0;
    for (const { text, read } of this.#pieces) {
      if (!this.#rereader) {
        if (!read) break;
        if (read.isWhole) this.#into.append(read);
        else this.#rereader = this.#newReader();
      }
      if (this.#rereader) this.#readOn(this.#rereader, text);
      joined++;
    }
    this.#pieces.splice(0, joined);
  }

  #readOn(rereader: PieceReader, text: Uint8Array): void {
    rereader.push(text);
    if (rereader.isInRecord) return;
    this.#into.append(rereader.taken());
    this.#rereader = undefined;
  }
}

/** What is known of a piece that a worker did not live to answer: it is read again. */
const LOST: ReadPiece = { rows: 0, columns: [], isWhole: false };
