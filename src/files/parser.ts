// Records and cells of delimited text, for what is looked at cell by cell: headers, and the first lines of a file.
import { textOf } from "../core/utf8.js";
import type { Instance } from "../engine/instance.js";
import { LONGEST_CELL } from "../engine/layout.js";
import { accepted, given } from "./memory.js";

/** The bytes that are marks in any text, whatever its delimiter. */
export enum Byte {
  LF = 10,
  CR = 13,
  QUOTE = 34,
}

/** The mark around cells that hold a delimiter, a quote or a line end. */
export const QUOTE = '"';

/** What one piece of a text held. */
export interface Found {
  /** The cells that ended in it. */
  readonly cells: readonly string[];
  /** For each record that ended in it, the number of these cells before its end. */
  readonly ends: readonly number[];
}

/** Splits bytes of any ASCII-compatible text into records, in an engine (`assembly/files/parser.ts` has the rules). */
export class TextParser {
  readonly #engine: Instance;
  readonly #parser: number;

  /** @param delimiter an ASCII character, neither a quote nor a line end */
  constructor(engine: Instance, delimiter: string) {
    this.#engine = engine;
    this.#parser = given(engine.exports.parserOpen(delimiter.charCodeAt(0)));
  }

  /** Whether a quote is open. */
  get inQuotes(): boolean {
    return this.#engine.exports.parserInQuotes(this.#parser) !== 0;
  }

  /** The text so far of the cell that has not ended. */
  get begun(): string {
    const { exports } = this.#engine;
    return textOf(this.#engine.readU8(exports.parserBegun(this.#parser) >>> 0, exports.parserBegunBytes(this.#parser)));
  }

  push(bytes: Uint8Array): Found {
    const all: { cells: string[]; ends: number[] } = { cells: [], ends: [] };
    for (let at = 0; at < bytes.length; at += LONGEST_CELL) {
      const piece = bytes.subarray(at, at + LONGEST_CELL);
      this.#engine.write(given(this.#engine.exports.parserText(this.#parser, piece.length)), piece);
      accepted(this.#engine.exports.parserPush(this.#parser, piece.length));
      const { cells, ends } = this.#found();
      for (const end of ends) all.ends.push(all.cells.length + end);
      for (const cell of cells) all.cells.push(cell);
    }
    return all;
  }

  /** Ends the last record, if the text does not end in a line end. Anything that follows is another text. */
  end(): Found {
    accepted(this.#engine.exports.parserEnd(this.#parser));
    return this.#found();
  }

  #found(): Found {
    const { exports } = this.#engine;
    const bounds = this.#engine.readU32(
      exports.parserBounds(this.#parser) >>> 0,
      2 * exports.parserCells(this.#parser),
    );
    const ends = this.#engine.readU32(exports.parserEnds(this.#parser) >>> 0, exports.parserRecords(this.#parser));
    const first = bounds[0] ?? 0;
    const bytes = this.#engine.readU8(first, (bounds.at(-1) ?? 0) - first);
    const cells = Array.from({ length: bounds.length / 2 }, (_, cell) =>
      textOf(bytes.subarray(bounds[2 * cell] - first, bounds[2 * cell + 1] - first)),
    );
    return { cells, ends: [...ends] };
  }
}

/** The cells of one record. */
export function cellsOf(engine: Instance, record: Uint8Array, delimiter: string): string[] {
  return engine.scratch(() => {
    const parser = new TextParser(engine, delimiter);
    return [...parser.push(record).cells, ...parser.end().cells];
  });
}
