import { StandinError } from "../core/errors.js";
import { BLOCK_ROWS, BUDGET_EXCEEDED, NO_PERSON, OK } from "../engine/layout.js";
import { writeQuery } from "../engine/query-struct.js";
import { RowBlocks } from "../engine/row-blocks.js";
import { Instance } from "../engine/wasm.js";
import { eachGrouped } from "../queries/marginal.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { maxRowsOf, relationOf } from "./accounting.js";
import type { Item, Ledger } from "./plan.js";

/**
 * The only place where private rows and randomness meet. Rows go in and never come back: what leaves are noisy integers, each
 * item charged to the ledger before its noise is drawn. Counting may be split over several instances; noise is drawn in one.
 */
export class Vault {
  readonly #engine: Instance;
  readonly #slices: RowBlocks[];
  readonly #attributes: readonly Attribute[];
  readonly #maxRows: number;
  readonly #key: () => Uint8Array;
  #keyed = false;

  /**
   * @param key asked for 32 secret bytes once, at the first draw; the bytes are overwritten
   * @param slices how many instances count (at least 1); no answer depends on it
   */
  constructor(ledger: Ledger, attributes: readonly Attribute[], key: () => Uint8Array, slices = 1) {
    this.#engine = new Instance();
    this.#attributes = attributes;
    this.#maxRows = maxRowsOf(ledger.unit);
    this.#key = key;
    this.#slices = Array.from(
      { length: slices },
      (_, at) => new RowBlocks(at ? new Instance() : this.#engine, attributes),
    );
    this.#expect(this.#engine.exports.vaultOpen(ledger.budget, relationOf(ledger.neighbours), this.#maxRows));
  }

  /**
   * Loads a table's rows. With person numbers, at most `maxRows` rows of each person are kept, a uniform choice among that
   * person's rows alone; a missing number is a person of one row.
   */
  load(codes: readonly Uint16Array[], rows: number, persons: Uint32Array | undefined): void {
    const kept = persons ? this.#bounded(persons) : Uint32Array.from({ length: rows }, (_, row) => row);
    for (let start = 0, block = 0; start < kept.length; start += BLOCK_ROWS, block++)
      this.#slices[block % this.#slices.length].append(codes, kept.subarray(start, start + BLOCK_ROWS));
  }

  /** The noisy answers of one item; the item number gives it its own stream of noise. */
  measure(item: Item, number: number): Int32Array {
    const engine = this.#engine;
    const marks = this.#slices.map((slice) => slice.engine.exports.mark());
    const counts = this.#count(item.query, item.cells);
    this.#unlock();
    this.#expect(engine.exports.measure(counts, item.cells, item.partitions, item.free, item.share, number));
    const answers = engine.i32(counts, item.cells).slice();
    engine.i32(counts, item.cells).fill(0);
    this.#slices.forEach((slice, at) => {
      slice.engine.exports.rewind(marks[at]);
    });
    return answers;
  }

  /** Erases the key and overwrites every instance's memory with zeros. */
  close(): void {
    this.#engine.exports.vaultClose();
    for (const { engine } of this.#slices) engine.exports.wipe();
  }

  /** True counts of all levels, or of groups of codes, in the vault's own memory: they do not leave it without noise. */
  #count(query: Query, cells: number): number {
    const { groups, ...byCode } = query;
    const counts = this.#countByCode(byCode);
    if (!groups) return counts;
    const engine = this.#engine;
    const sums = engine.alloc(4 * cells);
    const from = engine.i32(counts, cellsOf(byCode, this.#attributes));
    const into = engine.i32(sums, cells);
    eachGrouped(query, this.#attributes, (cell, group) => {
      into[group] += from[cell];
    });
    from.fill(0);
    return sums;
  }

  #countByCode(query: Query): number {
    const cells = cellsOf(query, this.#attributes);
    let total = 0;
    for (const slice of this.#slices) {
      const { engine } = slice;
      const counts = engine.alloc(4 * cells);
      slice.count(query, counts);
      if (!total) total = counts;
      else {
        const part = engine.i32(counts, cells);
        const sum = this.#engine.i32(total, cells);
        for (let cell = 0; cell < cells; cell++) sum[cell] += part[cell];
        part.fill(0);
      }
    }
    this.#engine.exports.answerLevels(writeQuery(this.#engine, query, this.#attributes), total);
    return total;
  }

  #bounded(persons: Uint32Array): Uint32Array {
    const engine = this.#engine;
    const mark = engine.exports.mark();
    const people = persons.reduce((most, person) => (person === NO_PERSON ? most : Math.max(most, person + 1)), 0);
    const numbers = engine.place(persons);
    const scratch = engine.alloc(8 * people);
    const keep = engine.alloc(Math.max(1, persons.length));
    this.#unlock();
    this.#expect(engine.exports.keepRows(numbers, persons.length, people, scratch, keep));
    const mask = engine.u8(keep, persons.length);
    const kept = Uint32Array.from(persons.keys()).filter((row) => mask[row] === 1);
    engine.exports.rewind(mark);
    return kept;
  }

  #unlock(): void {
    if (this.#keyed) return;
    const mark = this.#engine.exports.mark();
    const bytes = this.#key();
    this.#expect(this.#engine.exports.vaultKey(this.#engine.place(bytes)));
    bytes.fill(0);
    this.#engine.exports.rewind(mark);
    this.#keyed = true;
  }

  #expect(status: number): void {
    if (status === OK) return;
    if (status === BUDGET_EXCEEDED)
      throw new StandinError(
        "privacy/overspent",
        "The ledger refused a charge beyond the planned budget.",
        "Please report this.",
      );
    throw new StandinError("privacy/refused", `The vault refused a call (status ${status}).`, "Please report this.");
  }
}
