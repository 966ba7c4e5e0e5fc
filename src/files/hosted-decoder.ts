import { StandinError } from "../core/errors.js";
import type { Instance } from "../engine/instance.js";
import { ENCODING_UTF_8, ENCODING_UTF_16BE, ENCODING_UTF_16LE, ENCODING_WINDOWS_1252 } from "../engine/layout.js";
import { isUtf8, SAMPLE, START, unmarkedUtf16 } from "./encoding.js";
import { given } from "./memory.js";

/** The encodings that the engine reads, by their usual names. */
const ENCODINGS = new Map([
  ["utf-8", ENCODING_UTF_8],
  ["utf-16le", ENCODING_UTF_16LE],
  ["utf-16be", ENCODING_UTF_16BE],
  ["windows-1252", ENCODING_WINDOWS_1252],
]);

/** Bytes that a host writes at a time. Beside them there is room for a sample. */
const PIECE = 65_536;

/** Whether the engine reads files in an encoding, given its usual name. */
export const engineDecodes = (encoding: string): boolean => ENCODINGS.has(encoding);

/**
 * Takes the bytes of a file that its host writes into an engine, and passes them on there in UTF-8, without a byte
 * order mark, as `asUtf8` and `asSniffedUtf8` do.
 */
export class HostedDecoder {
  readonly #engine: Instance;
  readonly #stated: string | undefined;
  readonly #onEncoding: ((name: string) => void) | undefined;
  readonly #pass: (from: number, bytes: number) => void;
  /** What was written and not passed on. */
  readonly #held: number;
  #heldBytes = 0;
  #hasBegun = false;
  #encoding: string | undefined;
  /** Decodes what is not UTF-8, into room for a piece and a sample. */
  #recoder: { readonly pointer: number; readonly text: number } | undefined;

  /**
   * @param encoding the one that counts if there is no mark, under its usual name; or, to detect it, what receives it
   *   if it is not UTF-8
   * @param pass takes the text, of at most LONGEST_CELL bytes
   */
  constructor(
    engine: Instance,
    encoding: string | ((name: string) => void),
    pass: (from: number, bytes: number) => void,
  ) {
    this.#engine = engine;
    if (typeof encoding === "string") this.#stated = encoding;
    else this.#onEncoding = encoding;
    this.#pass = pass;
    this.#held = engine.alloc(PIECE + SAMPLE);
  }

  /** The encoding's usual name, once it is known. */
  get encoding(): string | undefined {
    return this.#encoding;
  }

  /** Where to write the next bytes, at most `wanted`, which `took` then takes. */
  room(wanted: number): { readonly pointer: number; readonly bytes: number } {
    return { pointer: this.#held + this.#heldBytes, bytes: Math.min(wanted, PIECE) };
  }

  /** @throws {StandinError} `host/encoding` if the engine does not read the stated encoding, and there is no mark */
  took(bytes: number): void {
    this.#heldBytes += bytes;
    this.#decode(false);
  }

  /** @throws as in `took` */
  end(): void {
    this.#decode(true);
  }

  #decode(isLast: boolean): void {
    if (this.#encoding === undefined) {
      this.#encoding = this.#hasBegun ? this.#sniffed(isLast) : this.#begun(isLast);
      if (this.#encoding === undefined) return;
      if (this.#encoding !== "utf-8") this.#onEncoding?.(this.#encoding);
    }
    if (this.#encoding === "utf-8") {
      this.#release(this.#heldBytes);
      return;
    }
    this.#recoder ??= this.#recoderOf(this.#encoding);
    const { pointer, text } = this.#recoder;
    const [from, to] = [this.#held, this.#held + this.#heldBytes];
    const end = this.#engine.exports.recode(pointer, from, to, isLast ? 1 : 0, text) >>> 0;
    this.#heldBytes = 0;
    if (end > text) this.#pass(text, end - text);
  }

  /** What the first bytes say of the encoding, once they have arrived. */
  #begun(isLast: boolean): string | undefined {
    if (this.#heldBytes < START && !isLast) return undefined;
    this.#hasBegun = true;
    const mark = this.#engine.exports.markedEncoding(this.#held, this.#held + this.#heldBytes);
    if (mark) {
      this.#forget(mark === ENCODING_UTF_8 ? 3 : 2);
      return [...ENCODINGS].find(([, encoding]) => encoding === mark)![0];
    }
    if (this.#stated === undefined) return unmarkedUtf16(this.#start(START)) ?? this.#sniffed(isLast);
    if (engineDecodes(this.#stated)) return this.#stated;
    throw new StandinError(
      "host/encoding",
      `The table's encoding is ${this.#stated}, which cannot be read here.`,
      "Decode the file into UTF-8 first.",
    );
  }

  /** Passes ASCII on, until the bytes after it decide. */
  #sniffed(isLast: boolean): string | undefined {
    const to = this.#held + this.#heldBytes;
    this.#release((this.#engine.exports.asciiEnd(this.#held, to) >>> 0) - this.#held);
    if (this.#heldBytes < SAMPLE && !isLast) return undefined;
    return isUtf8(this.#start(SAMPLE)) ? "utf-8" : "windows-1252";
  }

  #recoderOf(encoding: string) {
    const { exports } = this.#engine;
    const pointer = given(exports.recoderOpen(ENCODINGS.get(encoding)!));
    return { pointer, text: this.#engine.alloc(3 * (PIECE + SAMPLE) + 6) };
  }

  /** A copy of the first bytes that are held, at most this many. */
  #start(most: number): Uint8Array {
    return this.#engine.readU8(this.#held, Math.min(most, this.#heldBytes));
  }

  /** Passes on the first bytes that are held, as they are. */
  #release(bytes: number): void {
    if (!bytes) return;
    this.#pass(this.#held, bytes);
    this.#forget(bytes);
  }

  #forget(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#engine.exports.copy(this.#held + bytes, this.#held, this.#heldBytes);
  }
}
