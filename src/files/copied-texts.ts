import { Cells } from "./cells.js";
import type { ColumnSink } from "./rows.js";

/** The texts of one column, one per row, in the form in which they pass from one thread to another. */
export interface Texts {
  /** The texts one after the other, in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The end of each text. */
  readonly ends: Int32Array<ArrayBuffer>;
  /** Rows that lack the cell, ascending. Their texts are empty. */
  readonly absent: readonly number[];
}

/**
 * Copies the texts of one column's cells, for values that must be distinguished by a thread that sees the cells of all
 * the others too.
 */
export class CopiedTexts implements ColumnSink {
  #bytes = new Uint8Array(0);
  #ends: number[] = [];
  #absent: number[] = [];

  put({ bytes, bounds }: Cells, first: number, stride: number, count: number): void {
    for (let cell = first; cell < first + count * stride; cell += stride)
      this.#add(bytes.subarray(bounds[2 * cell], bounds[2 * cell + 1]));
  }

  putMissing(): void {
    this.#absent.push(this.#ends.length);
    this.#add(new Uint8Array(0));
  }

  /** Returns the texts so far, and starts again. */
  taken(): Texts {
    const texts = {
      bytes: this.#bytes.slice(0, this.#length),
      ends: Int32Array.from(this.#ends),
      absent: this.#absent,
    };
    this.#ends = [];
    this.#absent = [];
    return texts;
  }

  get #length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  #add(text: Uint8Array): void {
    const from = this.#length;
    const end = from + text.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#bytes.subarray(0, from));
      this.#bytes = larger;
    }
    this.#bytes.set(text, from);
    this.#ends.push(end);
  }
}

/** Passes copied texts to a sink, as if it received their column's cells. */
export function putTexts({ bytes, ends, absent }: Texts, sink: ColumnSink): void {
  const cells = new Cells();
  cells.reserve(0, bytes.length);
  cells.bytes.set(bytes);
  cells.bounds = Int32Array.from({ length: 2 * ends.length }, (_, bound) => (bound ? ends[(bound - 1) >> 1] : 0));
  let next = 0;
  for (const row of absent) {
    sink.put(cells, next, 1, row - next);
    sink.putMissing();
    next = row + 1;
  }
  sink.put(cells, next, 1, ends.length - next);
}
