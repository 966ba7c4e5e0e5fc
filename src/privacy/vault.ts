import { StandinError } from "../core/errors.js";
import type { CodeColumn } from "../core/table.js";
import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS, BUDGET_EXCEEDED, KEY_BYTES, KEY_REFUSED, OK } from "../engine/layout.js";
import type { ModelColumn } from "../engine/model-codes.js";
import { writeCodes } from "../engine/stored-codes.js";
import { cellsOf, keyOf, type Query } from "../queries/query.js";
import { fillBlocks, type RowBlock, RowBlocks } from "../queries/row-blocks.js";
import { writeGroups, writeQuery } from "../queries/struct.js";
import { maxRowsOf, relationOf } from "./accounting.js";
import { type QueryItem, type SelectionItem, scoreKind } from "./items.js";
import type { Ledger } from "./ledger.js";
import { fillSecret, noRandom } from "./seed.js";
import type { RemoteSlice } from "./slice.js";

/** A query that may be chosen, and how its score is weighted. All of it is public. */
export interface Candidate {
  readonly query: Query;
  readonly cells: number;
  /** In the units of the item's score (`scoreKind`); at most 1. */
  readonly weight: number;
  /** Subtracted from the weighted score, in the same units. */
  readonly bias: bigint;
  /**
   * The targets that the query's answers are compared with: one integer per cell. Valid until the next candidate's
   * targets are requested.
   */
  targets(): Int32Array;
}

/** The number of cells, at four bytes per cell, that other threads may count ahead of the calls that need them. */
const MOST_WAITING = 1 << 22;
/** With fewer queries than this under way, the other threads are asked for all that are known to come. */
const FEW_AHEAD = 13;
/** The most queries per message: each message has a cost, but its answers arrive together. */
const TOGETHER = 4;

/** Counts requested from the other threads. */
interface PendingCounts {
  readonly query: Query;
  readonly parts: Promise<Int32Array[]>;
}

/**
 * The only place where private rows and randomness meet. Rows go in and never come back. What leaves are noisy
 * integers, each item charged to the ledger before its noise is drawn. Counting may be split over several threads, but
 * noise is drawn only in this one. Calls must not overlap: each has to wait for the one before.
 */
export class Vault {
  readonly #engine: Instance;
  /** The rows that this thread counts. */
  readonly #own: RowBlocks;
  readonly #remotes: readonly RemoteSlice[];
  /** The counts that the other threads are preparing for the next calls. */
  #ahead: readonly PendingCounts[] = [];
  readonly #attributes: readonly Attribute[];
  readonly #maxRows: number;
  readonly #knownKey: Uint8Array | undefined;
  /** Addresses of the candidates' true counts, by the query's key. Every round compares them again. */
  readonly #cached = new Map<string, number>();
  #keyed = false;

  /**
   * @param budget the most that may be charged, in ledger units
   * @param knownKey for tests only: the key, which otherwise comes from the host, at the first draw
   * @param remotes threads that count too; no answer depends on them
   */
  constructor(
    { neighbours, unit }: Pick<Ledger, "neighbours" | "unit">,
    budget: bigint,
    attributes: readonly Attribute[],
    knownKey?: Uint8Array,
    remotes: readonly RemoteSlice[] = [],
  ) {
    this.#engine = new Instance();
    this.#attributes = attributes;
    this.#maxRows = maxRowsOf(unit);
    this.#knownKey = knownKey;
    this.#own = new RowBlocks(this.#engine, attributes);
    this.#remotes = remotes;
    this.#expect(this.#engine.exports.vaultOpen(budget, relationOf(neighbours), this.#maxRows));
  }

  /**
   * Loads a table's rows. With person numbers, at most `maxRows` rows of each person are kept, chosen uniformly and
   * from that person's rows alone. A row without a number counts as a person with one row.
   * @param columns one per attribute
   * @throws {StandinError} `engine/memory`; `engine/thread` where a thread fails
   */
  async load(columns: readonly ModelColumn[], rows: number, persons?: CodeColumn): Promise<void> {
    const engine = this.#engine;
    if (persons) this.#unlock();
    const ownRows = Math.min(rows, BLOCK_ROWS * Math.ceil((rows / BLOCK_ROWS) * ownShare(this.#remotes.length)));
    this.#own.reserve(ownRows);
    const mark = engine.exports.mark();
    const others = new RowBlocks(engine, this.#attributes);
    others.reserve(rows - ownRows);
    engine.scratch(() => this.#fill([...this.#own.blocks, ...others.blocks], columns, rows, persons));
    for (const [number, block] of others.blocks.entries()) {
      const codes = block.columns.map((pointer) => engine.readU16(pointer, block.rows));
      for (const pointer of block.columns) engine.exports.clear(pointer, 2 * block.rows);
      try {
        await this.#remotes[number % this.#remotes.length].append(codes);
      } finally {
        for (const column of codes) column.fill(0);
      }
    }
    engine.exports.rewind(mark);
  }

  /**
   * The noisy answers to the item's query. The item number gives the item its own noise stream.
   * @param coming the queries that will be measured after it, as far as they are known: other threads already count
   * them, without waiting for this one
   */
  async measure(item: QueryItem, number: number, coming: readonly Query[] = []): Promise<Int32Array> {
    const engine = this.#engine;
    const { query, cells, partitions, free, share } = item;
    return this.#scratch(async () => {
      const counts = await this.#count(query, cells, coming);
      this.#unlock();
      this.#expect(engine.exports.measure(counts, cells, partitions, free, share, number));
      const answers = engine.readI32(counts, cells);
      engine.exports.clear(counts, 4 * cells);
      return answers;
    });
  }

  /** The indices of the chosen candidates, in the order of choice. */
  async select(item: SelectionItem, number: number, candidates: readonly Candidate[]): Promise<number[]> {
    const { score, picks, partitions, free, share } = item;
    const { kind, scaleBits } = scoreKind(score);
    const engine = this.#engine;
    const { exports } = engine;
    for (const candidate of candidates) await this.#remember(candidate);
    return this.#scratch(async () => {
      const scores = engine.alloc(8 * candidates.length);
      const most = candidates.reduce((cells, candidate) => Math.max(cells, candidate.cells), 0);
      const targets = engine.alloc(4 * most);
      for (const [place, candidate] of candidates.entries()) {
        const { query, cells, weight, bias } = candidate;
        engine.write(targets, candidate.targets());
        const counts = this.#cached.get(keyOf(query))!;
        this.#expect(exports.score(counts, targets, cells, kind, weight, bias, scaleBits, scores + 8 * place));
      }
      const scratch = engine.alloc(exports.selectScratch(candidates.length, picks) >>> 0);
      const out = engine.alloc(4 * picks);
      this.#unlock();
      this.#expect(
        exports.select(
          ...([scores, candidates.length, picks, kind, partitions, free, scaleBits] as const),
          ...([share, number, scratch, out] as const),
        ),
      );
      const chosen = [...engine.readU32(out, picks)];
      exports.clear(scores, 8 * candidates.length);
      return chosen;
    });
  }

  /** Erases the key, overwrites every instance's memory with zeros, and gives this thread's back. */
  async close(): Promise<void> {
    this.#engine.exports.vaultClose();
    this.#engine.exports.wipe();
    await Promise.allSettled(this.#remotes.map((slice) => slice.wipe()));
    await this.#forget(this.#ahead);
    this.#engine.drop();
  }

  /** Counts a candidate once: it may be compared in many selections. */
  async #remember({ query, cells }: Candidate): Promise<void> {
    const name = keyOf(query);
    if (this.#cached.has(name)) return;
    const engine = this.#engine;
    const kept = engine.alloc(4 * cells);
    this.#cached.set(name, kept);
    await this.#scratch(async () => {
      const counts = await this.#count(query, cells);
      engine.exports.copy(counts, kept, 4 * cells);
      engine.exports.clear(counts, 4 * cells);
    });
  }

  /** Runs a function and frees the engine memory that it allocated. */
  async #scratch<T>(run: () => Promise<T>): Promise<T> {
    const mark = this.#engine.exports.mark();
    const result = await run();
    this.#engine.exports.rewind(mark);
    return result;
  }

  /**
   * True counts of all levels, or of groups of codes, in the vault's own memory. They do not leave it without noise.
   */
  async #count(query: Query, cells: number, coming: readonly Query[] = []): Promise<number> {
    const { groups, ...byCode } = query;
    const counts = await this.#countByCode(query, byCode, coming);
    if (!groups) return counts;
    const engine = this.#engine;
    const sums = engine.alloc(4 * cells);
    engine.scratch(() => engine.exports.moveToGroups(...writeGroups(engine, query, this.#attributes), counts, sums));
    return sums;
  }

  async #countByCode(query: Query, byCode: Query, coming: readonly Query[]): Promise<number> {
    const engine = this.#engine;
    const cells = cellsOf(byCode, this.#attributes);
    const parts = this.#parts(query, coming);
    const counts = engine.alloc(4 * cells);
    engine.scratch(() => this.#own.count(byCode, counts));
    for (const part of await parts) {
      engine.scratch(() => {
        const more = engine.place(part);
        engine.exports.addCounts(more, counts, part.length);
        engine.exports.clear(more, part.byteLength);
      });
      part.fill(0);
    }
    engine.scratch(() => engine.exports.answerLevels(writeQuery(engine, byCode, this.#attributes), counts));
    return counts;
  }

  /** The counts of the other threads, which are also asked for the queries to come. */
  #parts(query: Query, coming: readonly Query[]): Promise<Int32Array[]> {
    let waiting = 0;
    const wanted = coming.filter((next) => {
      waiting += cellsOf({ ...next, groups: undefined }, this.#attributes);
      return next !== query && waiting <= MOST_WAITING;
    });
    const asked = this.#ahead.find((known) => known.query === query) ?? this.#ask([query])[0];
    const ahead = this.#ahead.filter((known) => wanted.includes(known.query));
    const others = wanted.filter((next) => !ahead.some((known) => known.query === next));
    if (ahead.length < FEW_AHEAD)
      for (let at = 0; at < others.length; at += TOGETHER) ahead.push(...this.#ask(others.slice(at, at + TOGETHER)));
    void this.#forget(this.#ahead.filter((known) => known !== asked && !ahead.includes(known)));
    this.#ahead = ahead;
    return asked.parts;
  }

  /** Overwrites counts that will not be used. */
  async #forget(asked: readonly PendingCounts[]): Promise<void> {
    const counted = await Promise.allSettled(asked.map(({ parts }) => parts));
    for (const counts of counted) if (counts.status === "fulfilled") for (const part of counts.value) part.fill(0);
  }

  /** Requests counts from the other threads, in one message. */
  #ask(queries: readonly Query[]): readonly PendingCounts[] {
    const counted = this.#remotes.map((slice) => slice.count(queries));
    return queries.map((query, at) => {
      const parts = Promise.all(counted.map(async (counts) => (await counts)[at]));
      parts.catch(() => {}); // whoever awaits them, if anyone, still gets the error
      return { query, parts };
    });
  }

  /** Writes the codes that queries see, without the rows that a person has beyond `maxRows`. */
  #fill(
    blocks: readonly RowBlock[],
    columns: readonly ModelColumn[],
    rows: number,
    persons: CodeColumn | undefined,
  ): void {
    const engine = this.#engine;
    const keep = persons && this.#chosenRows(persons, rows);
    fillBlocks(engine, blocks, columns, rows);
    if (keep === undefined) return;
    for (const [number, block] of blocks.entries())
      block.rows = block.columns.reduce(
        (_, column) => engine.exports.keepCodes(column, keep + number * BLOCK_ROWS, block.rows),
        block.rows,
      );
  }

  /** Marks which rows of each person are kept. Returns a pointer to the marks, u8[rows]. */
  #chosenRows(persons: CodeColumn, rows: number): number {
    const engine = this.#engine;
    const keep = engine.alloc(Math.max(1, rows));
    engine.scratch(() => {
      const numbers = engine.alloc(4 * Math.max(1, rows));
      writeCodes(engine, persons, numbers);
      // Persons are numbered from 0 on without gaps, so there are at most as many as rows.
      const scratch = engine.alloc(8 * Math.max(1, rows));
      this.#expect(engine.exports.keepRows(numbers, rows, rows, scratch, keep));
    });
    return keep;
  }

  #unlock(): void {
    if (this.#keyed) return;
    const engine = this.#engine;
    const status = engine.scratch(() => {
      const key = engine.alloc(KEY_BYTES);
      if (this.#knownKey) engine.write(key, this.#knownKey);
      else fillSecret(engine, key, KEY_BYTES);
      return engine.exports.vaultKey(key);
    });
    // A release that is open and has no key yet refuses only zeros.
    if (status === KEY_REFUSED) throw noRandom();
    this.#expect(status);
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

/**
 * The part of the rows that this thread counts itself: three blocks for every four of each other thread, since it draws
 * all the noise besides counting.
 */
const ownShare = (others: number): number => 3 / (3 + 4 * others);
