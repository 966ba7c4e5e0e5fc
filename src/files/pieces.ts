import type { StandinError } from "../core/errors.js";
import { nextTask } from "../core/task.js";
import { type RemoteWorker, startWorkers } from "../core/threads.js";
import type { Schema } from "../schema/schema.js";
import { Byte } from "./parser.js";
import { PieceReader, type PieceRequest, type ReadPiece, readingJob } from "./piece-reader.js";
import type { Header, RecordBytes } from "./reader.js";
import type { TableReader } from "./table-reader.js";

/**
 * Bytes that one thread reads at a time: enough to make handing them over cheap, and few enough that no thread waits
 * long for the last ones.
 */
const PIECE = 1 << 19;
/** Pieces that a worker has in hand, so it does not wait while this thread reads one itself. */
const AHEAD = 3;
/** Pieces that may wait for one before them. */
const MOST_WAITING = 32;

/** A piece of the text that is not yet in the table. */
interface Piece {
  /** Absent while a worker has it. */
  text?: Uint8Array<ArrayBuffer>;
  /** The rows that a thread read in it, assuming that a record begins with it; absent until a worker has answered. */
  read?: ReadPiece;
  /** Settles when the worker has answered. */
  answered?: Promise<void>;
}

/**
 * Reads records in several threads. The text is cut at line ends, guessing that these lie outside quotes. Workers get
 * the pieces, and this thread reads those that find all workers busy. The reader of a piece knows whether a record ends
 * with it, so in the end every guess is either confirmed, or the piece is read again together with the following ones
 * up to the end of the record (as in Ge et al., "Speculative Distributed CSV Data Parsing for Big Data Analytics",
 * SIGMOD 2019). The rows are the same for any number of threads.
 */
export class Pieces implements RecordBytes {
  readonly #into: TableReader;
  readonly #newReader: () => PieceReader;
  readonly #reader: PieceReader;
  readonly #workers: readonly RemoteWorker[];
  readonly #size: number;
  /** The size of a buffer in bytes, for a piece and the text that arrived with its end. */
  readonly #room: number;
  /** The text that is not cut yet. */
  #text: ArrayBuffer;
  #length = 0;
  /** Buffers that are not in use at present. With these, a gigabyte of text takes no more memory than a few pieces. */
  readonly #free: ArrayBuffer[] = [];
  #mayStartWithLf: boolean;
  /** The pieces that are not yet in the table, in order. */
  readonly #pieces: Piece[] = [];
  /** Reads pieces that were cut inside a record. */
  #rereader: PieceReader | undefined;
  /** The reason why a piece was lost. */
  #fault: StandinError | undefined;

  /**
   * @param into receives the rows
   * @param header that of the table, which fits the schema
   * @param size bytes of a piece, at least 1; the rows are the same whatever it is
   */
  constructor(into: TableReader, schema: Schema, header: Header, threads: number, size = PIECE) {
    this.#into = into;
    this.#size = size;
    this.#room = size + (size >> 2);
    this.#text = new ArrayBuffer(this.#room);
    this.#newReader = () => new PieceReader(schema, header);
    this.#reader = this.#newReader();
    this.#mayStartWithLf = header.endsInReturn;
    this.#workers = startWorkers(threads, readingJob(schema, header));
  }

  /**
   * Takes more of the text. If it returns a promise, that lets workers' messages arrive, or waits for a worker.
   * @throws {StandinError} `engine/thread` if a worker ended with a piece in hand
   */
  push(bytes: Uint8Array): void | Promise<void> {
    if (!bytes.length) return;
    this.#keep(bytes.subarray(this.#mayStartWithLf && bytes[0] === Byte.LF ? 1 : 0));
    this.#mayStartWithLf = false;
    if (this.#length >= this.#size) return this.#deal(this.#cut());
  }

  /** Reads the rest of the text. */
  end(): void {
    this.#readHere(new Uint8Array(this.#text, 0, this.#length));
  }

  /**
   * Waits until all rows are in the table. Also waits for all workers to start, so that whether a failed start is
   * reported depends on no row.
   */
  async finished(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.started));
    await Promise.all(this.#pieces.map(({ answered }) => answered));
    this.#join();
    if (this.#rereader) this.#append(this.#rereader.taken());
    // What a worker holds after a failure goes with its thread.
    await Promise.allSettled(this.#workers.map((worker) => worker.call("wipe" satisfies PieceRequest)));
  }

  /** Overwrites the rows that were read here, and releases the workers, whatever they are doing. */
  close(): void {
    this.#reader.wipe();
    this.#rereader?.wipe();
    for (const worker of this.#workers) worker.release();
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#text.byteLength) this.#moveOn(new Uint8Array(this.#text, 0, this.#length), 2 * length);
    new Uint8Array(this.#text).set(bytes, this.#length);
    this.#length = length;
  }

  /** Continues with this text in another buffer of at least this many bytes. */
  #moveOn(text: Uint8Array, bytes: number): void {
    this.#text = bytes > this.#room ? new ArrayBuffer(bytes) : (this.#free.pop() ?? new ArrayBuffer(this.#room));
    new Uint8Array(this.#text).set(text);
    this.#length = text.length;
  }

  /** Takes the text up to its last line end. If there is none, takes all of it except a CR that an LF may follow. */
  #cut(): Uint8Array<ArrayBuffer> {
    const text = new Uint8Array(this.#text, 0, this.#length);
    const whole = text.subarray(0, text.at(-1) === Byte.CR ? -1 : undefined);
    const afterLf = whole.lastIndexOf(Byte.LF) + 1;
    const afterCr = whole.subarray(afterLf).lastIndexOf(Byte.CR) + 1;
    const end = afterLf + afterCr || whole.length;
    this.#moveOn(text.subarray(end), text.length - end);
    return text.subarray(0, end);
  }

  /** Gives a piece to the least busy worker, or reads it here. */
  #deal(text: Uint8Array<ArrayBuffer>): void | Promise<void> {
    this.#join();
    const free = this.#workers.filter(({ isReady, waiting }) => isReady && waiting < AHEAD);
    if (free.length)
      this.#send(
        text,
        free.reduce((least, next) => (next.waiting < least.waiting ? next : least)),
      );
    else this.#readHere(text);
    if (this.#pieces.length > MOST_WAITING) return this.#pieces[0].answered;
    if (this.#workers.length && !free.length) return nextTask();
  }

  #readHere(text: Uint8Array<ArrayBuffer>): void {
    this.#reader.push(text);
    this.#pieces.push({ text, read: this.#reader.taken() });
  }

  #send(text: Uint8Array<ArrayBuffer>, worker: RemoteWorker): void {
    const piece: Piece = {};
    piece.answered = worker.call(text satisfies PieceRequest, [text.buffer]).then(
      (answer) => void Object.assign(piece, answer),
      (error) => {
        this.#fault ??= error;
      },
    );
    this.#pieces.push(piece);
  }

  /**
   * Appends to the table what has been read of the text, in its order. @throws {StandinError} `engine/thread` if a
   * piece was lost
   */
  #join(): void {
    if (this.#fault) throw this.#fault;
    let joined = 0;
    for (const { text, read } of this.#pieces) {
      if (!text || !read) break;
      if (this.#rereader || !read.isWhole) this.#readAgain(text);
      else this.#append(read);
      if (text.buffer.byteLength === this.#room) this.#free.push(text.buffer);
      joined++;
    }
    this.#pieces.splice(0, joined);
  }

  /** Reads again a piece that begins or ends inside a record, and finishes once a record ends with the piece. */
  #readAgain(text: Uint8Array): void {
    this.#rereader ??= this.#newReader();
    this.#rereader.push(text);
    if (this.#rereader.isInRecord) return;
    this.#append(this.#rereader.taken());
    this.#rereader.wipe();
    this.#rereader = undefined;
  }

  #append({ rows, columns }: ReadPiece): void {
    this.#into.append(rows, columns);
  }
}
