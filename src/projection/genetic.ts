import type { Engines } from "../core/engines.js";
import type { Progress } from "../core/progress.js";
import { slices } from "../core/slices.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import { MOST_BYTES, SEARCH_SETTLED } from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";
import { classOf, isColumnSet, type Query, structureOf } from "../queries/query.js";
import { queryParameters, writeQueries } from "../queries/struct.js";
import { noRoom, opened, type SearchState, searched } from "./method.js";
import type { SearchSettings } from "./settings.js";
import { refineColumns, type StartColumn, startColumns } from "./start.js";

/**
 * The answers that the rows should give to a query: counts (any real numbers) for a table of `total` rows, in the order
 * of answers.
 */
export interface Target {
  readonly query: Query;
  readonly answers: Float64Array;
  /** Whether answers below 0 count as 0. */
  readonly clipped?: boolean;
}

export interface SearchInput {
  readonly attributes: readonly Attribute[];
  readonly targets: readonly Target[];
  /** The number of rows that the targets count. */
  readonly total: number;
  /** The number of rows to make, at least 1. */
  readonly rows: number;
  /** u32. */
  readonly seed: number;
  readonly settings: SearchSettings;
  /** The start of each column: every column once, after its parent. */
  readonly start: readonly StartColumn[];
  /** Rows to start from instead, repeated where more rows are made. */
  readonly warm?: readonly Uint16Array[];
  /** What looks at batches, or scores generations (default: WASM). The rows are the same with and without a GPU. */
  readonly engines?: Engines;
}

export interface SearchResult {
  /** One array of codes per attribute, each as long as the table. */
  readonly codes: Uint16Array[];
  /**
   * The sum of the squared differences between targets and counts, in rows of the searched table, at the end and at the
   * start.
   */
  readonly loss: number;
  readonly startLoss: number;
  /**
   * The number of rows searched. It is smaller than requested where that many would not fit 32-bit residuals; the rows
   * are then repeated.
   */
  readonly searchedRows: number;
  /** The number of sweeps or generations. */
  readonly steps: number;
  /** The number of one-cell changes scored. */
  readonly candidates: number;
  /** The rule that ended the search, as a sentence. */
  readonly stop: string;
  /** The search's seed. */
  readonly seed: number;
}

/** A row is represented by 2^4 to 2^8 units. */
const LEAST_SHIFT = 4;
const MOST_SHIFT = 8;

/**
 * Searches for rows whose answers are close to the targets in the least-squares sense, in steps of some milliseconds.
 * The rows depend on the input alone, not on timing.
 * @throws {StandinError} `engine/memory` where the tables do not fit
 */
export async function* searchRows(input: SearchInput): AsyncGenerator<Progress, SearchResult> {
  const { rows, seed, settings, engines } = input;
  const bench = openBench(input);
  const { instance, search } = bench;
  try {
    const { exports: engine } = instance;
    const loss = () => Number(engine.searchLoss(search)) / 4 ** bench.shift;
    const startLoss = loss();
    const progress = (stop?: string): Progress => ({
      phase: "search",
      step: engine.searchSteps(search),
      unit: unitOf(settings),
      loss: loss() / (startLoss || 1),
      stop,
    });
    const status = yield* searched(bench, settings, engines, progress);
    const stop = stopSentence(settings, status, engine.searchSteps(search), bench.rows);
    yield progress(stop);
    engine.searchEnd(search);
    return {
      codes: bench.columns.map((pointer) => repeat(instance.readU16(pointer, bench.rows), rows)),
      loss: loss(),
      startLoss,
      searchedRows: bench.rows,
      steps: engine.searchSteps(search),
      candidates: engine.searchCandidates(search),
      stop,
      seed,
    };
  } finally {
    instance.drop();
  }
}

/**
 * The most engine memory in bytes that a search takes, for a planner to compare with the 4 GiB that an engine can
 * address: a refused workload may need any number.
 * @param certain those of the queries that are searched for in any case: the more there are, the fewer rows are
 * searched, and then repeated
 */
export function searchBytes(
  attributes: readonly Attribute[],
  queries: readonly Query[],
  rows: number,
  certain: readonly Query[] = queries,
): number {
  const most = 2 ** (30 - LEAST_SHIFT) / Math.max(1, ...levelsOf(certain, attributes));
  const searched = Math.ceil(Math.min(rows, most));
  const engine = workbench();
  return engine.scratch(() =>
    engine.exports.searchBytes(
      ...([writeQueries(engine, queries, attributes), queries.length, attributes.length, searched] as const),
    ),
  );
}

function openBench({
  attributes,
  targets: given,
  total,
  rows: asked,
  seed,
  settings,
  start,
  warm,
}: SearchInput): SearchState {
  const targets = given.filter(({ query }) => query.columns.length > 0);
  const queries = targets.map(({ query }) => query);
  const instance = new Instance();
  const { rows, shift } = fitUnits(asked, unitLimit(instance, targets, attributes, total));
  const { exports: engine } = instance;
  const structs = writeQueries(instance, queries, attributes);
  if (engine.searchBytes(structs, queries.length, attributes.length, rows) > MOST_BYTES) throw noRoom();
  const search = opened(engine.searchOpen(structs, queries.length, attributes.length, rows, shift, seed));
  const columns = [...instance.readU32(engine.searchColumns(search) >>> 0, attributes.length)];
  const axes = queries.flatMap((query) => query.columns);
  const used = new Set(axes);
  const isUniform = (column: number) => settings.method === "paper" && used.has(column);
  const drawn: StartColumn[] = [];
  const cells: number[] = [];
  for (const from of start) {
    const { column } = from;
    if (warm) {
      instance.write(columns[column], repeat(warm[column], rows));
      continue;
    }
    cells.push(column);
    if (isUniform(column)) engine.uniformColumn(columns[column], rows, attributes[column].size, seed, column);
    else drawn.push(from);
  }
  const sizes = attributes.map(({ size }) => size);
  startColumns(instance, drawn, columns, sizes, rows, seed);
  refineColumns(instance, cells, attributes, columns, rows, seed);
  let index = 0;
  eachPlaced(instance, targets, (calls, target, answers) => {
    // Units take half of the space of the answers; the other half becomes the zeroed counts.
    const cells = target.answers.length;
    calls.add("targetUnits", answers, cells, total, leastOf(target), rows, shift, answers);
    calls.add("clear", answers + 4 * cells, 4 * cells);
    calls.add("searchTarget", search, index++, answers, answers + 4 * cells);
  });
  engine.searchBegin(search);
  return {
    ...{ instance, search, columns, used, rows, shift },
    cells: targets.reduce((sum, { answers }) => sum + answers.length, 0),
    isTables: engine.searchMap(search, 0) > 0,
    reads: {
      sweep: rows * axes.reduce((sum, column) => sum + sizes[column], 0),
      candidate: (2 * axes.length) / used.size,
    },
  };
}

/** The most answers that are placed together, unless a single target has more. */
const MOST_CELLS = 1 << 20;

/** Adds calls about each target, whose answers are in the engine until they have been made. */
function eachPlaced(
  instance: Instance,
  targets: readonly Target[],
  add: (calls: Calls, target: Target, answers: number) => void,
): void {
  for (const together of slices(targets, MOST_CELLS, ({ answers }) => answers.length))
    instance.scratch(() => {
      const placed = instance.placeAll(together.map(({ answers }) => answers));
      const calls = new Calls(instance);
      for (const [at, target] of together.entries()) add(calls, target, placed[at]);
      calls.run();
    });
}

/** The fewest repeats of a table, and the finest units, whose product stays within the limit. */
function fitUnits(asked: number, limit: number): { rows: number; shift: number } {
  const repeats = Math.ceil((asked * 2 ** LEAST_SHIFT) / limit);
  const rows = Math.ceil(asked / repeats);
  return { rows, shift: Math.min(MOST_SHIFT, 31 - Math.clz32(limit / rows)) };
}

/**
 * A table of N rows fits residuals in units of 2^−f rows if N·2^f is within this limit. Then every sum of residuals
 * over the queries of one column stays within i32 (a residual lies between −2N and N), and the loss within i64.
 */
function unitLimit(
  instance: Instance,
  targets: readonly Target[],
  attributes: readonly Attribute[],
  total: number,
): number {
  const queries = targets.map(({ query }) => query);
  const reach = queries.reduce((sum, query) => sum + partsOf(query, attributes), 0);
  const squares = instance.scratch(() => {
    const sum = instance.place(Float64Array.of(reach));
    eachPlaced(instance, targets, (calls, target, answers) =>
      calls.add("addShares", answers, target.answers.length, total, leastOf(target), sum),
    );
    return instance.readF64(sum, 1)[0];
  });
  const levels = Math.max(1, ...levelsOf(queries, attributes));
  return Math.min(2 ** 30 / levels, 2 ** 31 / Math.sqrt(Math.max(1, squares)));
}

/** For each attribute, the most residuals that a score of one of its codes adds up. */
function levelsOf(queries: readonly Query[], attributes: readonly Attribute[]): number[] {
  const levels = attributes.map(() => 0);
  for (const query of queries) {
    const reach = reachOf(query, attributes);
    for (const [at, column] of query.columns.entries()) levels[column] += reach[at];
  }
  return levels;
}

/** The most answers of a query that a row counts in. */
function partsOf(query: Query, attributes: readonly Attribute[]): number {
  const { partitions, free } = structureOf(query, attributes);
  return partitions.length + free;
}

/**
 * The most residuals that the score of one code of each of a query's columns adds up: for a column set, one cell per
 * level; for other queries, what a change leaves and what it enters, unless their class says that it is less.
 */
function reachOf(query: Query, attributes: readonly Attribute[]): readonly number[] {
  const { reach } = classOf(query);
  if (reach) return reach(query, attributes, queryParameters(query, attributes));
  const parts = partsOf(query, attributes);
  return query.columns.map(() => (isColumnSet(query) ? parts : 2 * parts));
}

/** The smallest fraction of the rows that an answer is taken for. Noise beyond the whole table is cut off. */
const leastOf = ({ clipped }: Target): number => (clipped ? 0 : -1);

const unitOf = ({ method }: SearchSettings) => (method === "paper" ? "generation" : "sweep");

function stopSentence(settings: SearchSettings, status: number, steps: number, rows: number): string {
  const unit = unitOf(settings);
  const span = unit === "generation" ? rows : 1;
  if (status !== SEARCH_SETTLED) return `The search ended at its limit of ${thousands(steps)} ${unit}s.`;
  const last = span === 1 ? `the last ${unit}` : `the last ${thousands(span)} ${unit}s`;
  const percent = +(settings.tolerance * 100).toPrecision(3);
  return `The search ended after ${thousands(steps)} ${unit}s: ${last} lowered the squared distance from its targets by no more than ${percent} %.`;
}

/** The codes, repeated or cut to `length`. */
function repeat(codes: Uint16Array, length: number): Uint16Array {
  const repeated = new Uint16Array(length);
  for (let at = 0; at < length; at += codes.length) repeated.set(codes.subarray(0, length - at), at);
  return repeated;
}
