import { StandinError } from "../core/errors.js";
import { slices } from "../core/slices.js";
import type { CodeColumn } from "../core/table.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  BUDGET_EXCEEDED,
  KEY_BYTES,
  KEY_REFUSED,
  OK,
  SCORE_BELOW,
  VAULT_CELLS,
  VAULT_QUERIES,
} from "../engine/layout.js";
import type { ModelColumn } from "../engine/model-codes.js";
import { writeCodes } from "../engine/stored-codes.js";
import { byCode, cellsOf, keyOf, type Query } from "../queries/query.js";
import { fillBlocks, type RowBlock, RowBlocks } from "../queries/row-blocks.js";
import { type PlacedQuery, writeGrouped } from "../queries/struct.js";
import { lawNumber, maxRowsOf, relationOf } from "./accounting.js";
import { type CandidateGroup, groupOf, type ScoredGroup } from "./candidates.js";
import { type QueryItem, type SelectionItem, scoreKind } from "./items.js";
import type { Ledger } from "./ledger.js";
import { fillSecret, noRandom } from "./seed.js";
import type { RemoteSlice } from "./slice.js";

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
  /** Addresses of the candidates' true counts, by the key of their group's query. Every round compares them again. */
  readonly #kept = new Map<string, number>();
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
   * The noisy answers to the items' queries.
   * @param first the number of the first item, which the others follow. It gives each item its own noise stream.
   * @param coming the queries that will be measured after them, as far as they are known: other threads already count
   * them, without waiting for this one
   */
  async measure(
    items: readonly QueryItem[],
    first: number,
    coming: readonly Query[] = [],
  ): Promise<readonly Int32Array[]> {
    const queries = items.map(({ query }) => query);
    const measured: Int32Array[] = [];
    for (const together of this.#slices(items, ({ query }) => query)) {
      const at = measured.length;
      const later = [...queries.slice(at + together.length), ...coming];
      measured.push(...(await this.#measure(together, first + at, later)));
    }
    return measured;
  }

  async #measure(items: readonly QueryItem[], first: number, coming: readonly Query[]): Promise<Int32Array[]> {
    const engine = this.#engine;
    return this.#scratch(async () => {
      const cells = items.map((item) => item.cells);
      const answers = engine.reserve(cells.map((count) => 4 * count));
      const calls = new Calls(engine);
      const placed = await this.#count(items, answers, calls, coming);
      for (const [at, { centred }] of placed.entries()) if (centred) calls.add("centreCounts", ...centred, answers[at]);
      this.#unlock();
      for (const [at, { partitions, free, centred, share }] of items.entries()) {
        const how = [share, first + at] as const;
        if (centred)
          calls.add("measureCentred", answers[at], cells[at], placed[at].centred![1], centred.length, ...how);
        else calls.add("measure", answers[at], cells[at], partitions, free, ...how);
      }
      this.#expect(calls.run());
      const measured = engine.readAll(answers, cells, Int32Array);
      engine.exports.clear(answers[0], answers[items.length - 1] + 4 * cells[items.length - 1] - answers[0]);
      return measured;
    });
  }

  /** The numbers of the chosen candidates, in the order of choice. */
  async select(item: SelectionItem, number: number, among: readonly ScoredGroup[]): Promise<number[]> {
    const { score, law, scaleBits, picks, partitions, free, share } = item;
    const kind = scoreKind(score);
    const engine = this.#engine;
    const { exports } = engine;
    await this.#remember(among.map(({ group }) => group));
    const candidates = among.reduce((sum, { places }) => sum + places.length, 0);
    return this.#scratch(async () => {
      const scores = engine.alloc(8 * candidates);
      let out = scores;
      for (const together of this.#slices(among, ({ group }) => group.query)) {
        const compared: { targets: Int32Array; bias: bigint }[] = [];
        for (const scored of together) compared.push({ targets: await scored.targets(), bias: await scored.bias() });
        engine.scratch(() => {
          const tables = [...new Set(compared.map(({ targets }) => targets))];
          const placed = engine.placeAll(tables);
          const pointers = new Map(tables.map((table, at) => [table, placed[at]]));
          const calls = new Calls(engine);
          for (const [at, { group, places, weight }] of together.entries()) {
            const { targets: table, bias } = compared[at];
            const targets = pointers.get(table)!;
            const counts = this.#kept.get(keyOf(group.query))!;
            const cells = this.#cells(group.one);
            const how = [group.areComplements ? SCORE_BELOW : kind, weight, bias, scaleBits, out] as const;
            if (group.count === 1) calls.add("score", counts, targets, cells, ...how);
            else
              calls.add(
                ...(["scoreMembers", counts, targets, cells, group.count] as const),
                ...([places.length < group.count ? engine.place(places) : 0, places.length, ...how] as const),
              );
            out += 8 * places.length;
          }
          this.#expect(calls.run());
        });
      }
      const scratch = engine.alloc(exports.selectScratch(candidates, picks) >>> 0);
      const chosen = engine.alloc(4 * picks);
      this.#unlock();
      this.#expect(
        exports.select(
          ...([scores, candidates, picks, lawNumber(law), kind, partitions, free, scaleBits] as const),
          ...([share, number, scratch, chosen] as const),
        ),
      );
      exports.clear(scores, 8 * candidates);
      return numbersOf(among, engine.readU32(chosen, picks));
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

  /** Counts candidates, a group at a time, and each group once: they may be compared in many selections. */
  async #remember(groups: readonly CandidateGroup[]): Promise<void> {
    const engine = this.#engine;
    // A marginal's cells and their complements have the same counts.
    const others = new Map(groups.map(({ query }) => [keyOf(query), { query }]));
    for (const known of this.#kept.keys()) others.delete(known);
    for (const together of this.#slices([...others.values()], ({ query }) => query)) {
      const counts = engine.reserve(together.map(({ query }) => 4 * this.#cells(query)));
      await this.#scratch(async () => {
        const calls = new Calls(engine);
        await this.#count(together, counts, calls);
        calls.run();
      });
      for (const [at, { query }] of together.entries()) this.#kept.set(keyOf(query), counts[at]);
    }
  }

  /** As much as is counted together: it takes no more memory than a plan states. */
  #slices<T>(list: readonly T[], queryOf: (entry: T) => Query): Iterable<readonly T[]> {
    return slices(list, VAULT_CELLS, (entry) => this.#cells(queryOf(entry)) + VAULT_CELLS / VAULT_QUERIES);
  }

  /** How many cells a query has by codes. */
  #cells(query: Query): number {
    return cellsOf(byCode(query), this.#attributes);
  }

  /** Runs a function and frees the engine memory that it allocated. */
  async #scratch<T>(run: () => Promise<T>): Promise<T> {
    const mark = this.#engine.exports.mark();
    const result = await run();
    this.#engine.exports.rewind(mark);
    return result;
  }

  /**
   * Adds to a list the calls after which the true counts of queries, of all levels, or of groups of codes, are in the
   * vault's memory, zeroed until then. They do not leave it without noise. Returns where the queries are.
   */
  async #count(
    asked: readonly { readonly query: Query }[],
    counts: readonly number[],
    calls: Calls,
    coming: readonly Query[] = [],
  ): Promise<readonly PlacedQuery[]> {
    const engine = this.#engine;
    const queries = asked.map(({ query }) => query);
    const blocks = this.#own.place();
    const placed = writeGrouped(engine, queries, this.#attributes);
    const others = engine.reserve(queries.map((query) => (query.groups ? 4 * this.#cells(query) : 0)));
    const pointers = counts.map((pointer, at) => (queries[at].groups ? others[at] : pointer));
    for (const [at, { byCode }] of placed.entries()) this.#own.count(calls, byCode, blocks, pointers[at]);
    if (this.#remotes.length) {
      const rest = (at: number) => [...queries.slice(at + 1), ...coming];
      let parts = this.#parts(queries[0], rest(0)); // they count while this thread does
      calls.run();
      for (const [at, query] of queries.entries()) {
        if (at > 0) parts = this.#parts(query, rest(at));
        for (const part of await parts) this.#add(part, pointers[at]);
      }
    }
    for (const [at, { byCode, groups }] of placed.entries()) {
      calls.add("answerLevels", byCode, pointers[at]);
      if (groups) calls.add("moveToGroups", byCode, ...groups, pointers[at], counts[at]);
    }
    return placed;
  }

  /** Adds the counts of another thread, which are then overwritten. */
  #add(part: Int32Array, counts: number): void {
    const engine = this.#engine;
    engine.scratch(() => {
      const more = engine.place(part);
      engine.exports.addCounts(more, counts, part.length);
      engine.exports.clear(more, part.byteLength);
    });
    part.fill(0);
  }

  /** The counts of the other threads, which are also asked for the queries to come. */
  #parts(query: Query, coming: readonly Query[]): Promise<Int32Array[]> {
    let waiting = 0;
    const wanted = coming.filter((next) => {
      waiting += this.#cells(next);
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

/** The numbers of the candidates that are at some places among all that are compared. */
function numbersOf(among: readonly ScoredGroup[], chosen: Uint32Array): number[] {
  let count = 0;
  const compared = among.map(({ group, places }) => {
    const first = count;
    count += places.length;
    return { first, group, places };
  });
  return Array.from(chosen, (place) => {
    const { first, group, places } = groupOf(compared, place);
    return group.first + places[place - first];
  });
}

/**
 * The part of the rows that this thread counts itself: three blocks for every four of each other thread, since it draws
 * all the noise besides counting.
 */
const ownShare = (others: number): number => 3 / (3 + 4 * others);
