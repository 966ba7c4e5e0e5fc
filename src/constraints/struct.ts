import type { Instance } from "../engine/instance.js";
import {
  CONSTRAINT_BYTES,
  CONSTRAINT_COMBINATIONS,
  CONSTRAINT_COUNT,
  CONSTRAINT_EXEMPT,
  CONSTRAINT_KIND,
  CONSTRAINT_LIST,
  CONSTRAINT_ORDER,
  CONSTRAINT_ROWS,
  CONSTRAINT_SIZE,
  CONSTRAINT_SUM,
  CONSTRAINT_TABLE,
  LINKED_BYTES,
  LINKED_CHOICES,
  LINKED_COLUMNS,
  LINKED_CONSTRAINTS,
  LINKED_LISTS,
  LINKED_ORDERS,
  LINKED_SCALES,
  LINKED_SCRATCH,
  LINKED_SEED,
  LINKED_SUMS,
  LINKED_TOTALS,
  LINKED_WITNESS,
  SCALE_BASE,
  SCALE_BYTES,
  SCALE_CODES,
  SCALE_EVEN,
  SCALE_KIND,
  SCALE_LISTED,
  SCALE_MISSING,
  SCALE_MODELLED,
  SCALE_NUMBERS,
  SCALE_ORDER,
  SCALE_PLACES,
  SCALE_PLAIN,
  SCALE_STARTS,
  SCALE_STEP,
  SCALE_STORED,
  SCALE_STREAM,
  SCALE_VALUES,
  SCALE_WIDTH,
} from "../engine/layout.js";
import { Struct } from "../engine/struct.js";
import type { Scale } from "./scale.js";

/** Constraints by the places of their columns. */
export interface Problem {
  readonly scales: readonly Scale[];
  readonly orders: readonly (readonly [lower: number, upper: number])[];
  /** Each a total, then its parts. */
  readonly sums: readonly (readonly number[])[];
  readonly lists: readonly CombinationList[];
  /** Stored codes that satisfy the constraints, once they are known. */
  readonly witness?: readonly number[];
}

export interface CombinationList {
  readonly columns: readonly number[];
  /** Stored codes, in the columns' order. */
  readonly combinations: readonly (readonly number[])[];
  /** For each column the missing code, if a missing cell there exempts a row from the list. */
  readonly exempt: readonly (number | undefined)[];
}

/** The rows of a linked column, in an engine. */
export interface LinkedRows {
  /** A pointer to the stored codes, and how many bytes each takes. */
  readonly stored: number;
  readonly width: number;
  /** A pointer to the codes that queries see, and the stream of the column's words; only for repairs. */
  readonly modelled?: number;
  readonly stream?: number;
}

/** Places constraints in an engine. Returns the pointer to their LINKED. @param seed of the random words of repairs */
export function placeLinked(engine: Instance, problem: Problem, rows: readonly LinkedRows[] = [], seed = 0): number {
  const { scales, orders, sums, lists } = problem;
  const columns = scales.length;
  const struct = new Struct(LINKED_BYTES);
  struct.u32(LINKED_COLUMNS, columns);
  struct.u32(LINKED_ORDERS, orders.length);
  struct.u32(LINKED_SUMS, sums.length);
  struct.u32(LINKED_LISTS, lists.length);
  struct.u32(LINKED_SEED, seed);
  struct.u32(LINKED_CHOICES, struct.append(Uint32Array.from(choices(scales))));
  struct.u32(LINKED_TOTALS, struct.append(Uint32Array.from(partsFirst([...sums.keys()], sums))));
  struct.u32(LINKED_WITNESS, struct.append(Float64Array.from(problem.witness ?? Array(columns).fill(0))));
  struct.u32(LINKED_SCALES, appendScales(struct, scales, rows));
  const constraints = [
    ...orders.map((order) => appendConstraint(struct, CONSTRAINT_ORDER, order)),
    ...sums.map((sum) => appendConstraint(struct, CONSTRAINT_SUM, sum)),
    ...lists.map((list) => appendList(struct, list)),
  ];
  struct.u32(LINKED_CONSTRAINTS, struct.append(Uint32Array.from(constraints)));
  // The rest is the engine's: it is not copied.
  const length = struct.reserve(0);
  lists.forEach((list, at) => {
    const size = tableSize(list);
    struct.u32(constraints[orders.length + sums.length + at] + CONSTRAINT_TABLE, struct.reserve(4 * size));
  });
  struct.u32(LINKED_SCRATCH, struct.reserve(8 * columns * (1 + 2 * (columns + lists.length + 1))));
  const linked = engine.alloc(struct.reserve(0));
  engine.write(linked, struct.bytes.subarray(0, length));
  engine.exports.indexLists(linked);
  return linked;
}

/** The columns, those with the widest steps first: categories and values that are not compared before all others. */
function choices(scales: readonly Scale[]): number[] {
  const step = (scale: Scale) => (scale.kind === "even" ? scale.step : Number.POSITIVE_INFINITY);
  const steps = scales.map(step);
  return [...scales.keys()].sort((a, b) => (steps[a] === steps[b] ? 0 : steps[b] - steps[a]));
}

/**
 * Sums, by their numbers, ordered so that parts which are totals themselves come first, as far as such an order exists.
 */
function partsFirst(left: readonly number[], sums: readonly (readonly number[])[]): number[] {
  if (!left.length) return [];
  const isReady = (at: number) => !left.some((other) => sums[at].indexOf(sums[other][0], 1) > 0);
  const ready = left.find(isReady) ?? left[0];
  return [
    ready,
    ...partsFirst(
      left.filter((at) => at !== ready),
      sums,
    ),
  ];
}

const KINDS = { even: SCALE_EVEN, listed: SCALE_LISTED, plain: SCALE_PLAIN };

function appendScales(struct: Struct, scales: readonly Scale[], rows: readonly LinkedRows[]): number {
  const first = struct.reserve(scales.length * SCALE_BYTES);
  scales.forEach((scale, at) => {
    const start = first + at * SCALE_BYTES;
    struct.u32(start + SCALE_KIND, KINDS[scale.kind]);
    struct.u32(start + SCALE_CODES, scale.codes);
    struct.f64(start + SCALE_VALUES, scale.values);
    struct.f64(start + SCALE_MISSING, scale.missing ?? Number.NaN);
    if (scale.starts) struct.u32(start + SCALE_STARTS, struct.append(scale.starts));
    if (scale.kind === "even") {
      struct.f64(start + SCALE_BASE, scale.base);
      struct.f64(start + SCALE_STEP, scale.step);
    } else if (scale.kind === "listed") {
      const places = new Uint32Array(scale.codes);
      for (const [position, code] of scale.order.entries()) places[code] = position;
      struct.u32(start + SCALE_NUMBERS, struct.append(scale.numbers));
      struct.u32(start + SCALE_ORDER, struct.append(scale.order));
      struct.u32(start + SCALE_PLACES, struct.append(places));
    }
    if (!rows.length) return;
    const { stored, width, modelled = 0, stream = 0 } = rows[at];
    struct.u32(start + SCALE_STORED, stored);
    struct.u32(start + SCALE_WIDTH, width);
    struct.u32(start + SCALE_MODELLED, modelled);
    struct.u32(start + SCALE_STREAM, stream);
  });
  return first;
}

function appendConstraint(struct: Struct, kind: number, columns: readonly number[]): number {
  const start = struct.reserve(CONSTRAINT_BYTES + 4 * columns.length);
  struct.u32(start + CONSTRAINT_KIND, kind);
  struct.u32(start + CONSTRAINT_COUNT, columns.length);
  columns.forEach((column, at) => {
    struct.u32(start + CONSTRAINT_BYTES + 4 * at, column);
  });
  return start;
}

function appendList(struct: Struct, list: CombinationList): number {
  const start = appendConstraint(struct, CONSTRAINT_LIST, list.columns);
  struct.u32(start + CONSTRAINT_ROWS, list.combinations.length);
  struct.u32(start + CONSTRAINT_COMBINATIONS, struct.append(Float64Array.from(list.combinations.flat())));
  const exempt = list.exempt.map((code) => code ?? Number.NaN);
  struct.u32(start + CONSTRAINT_EXEMPT, struct.append(Float64Array.from(exempt)));
  struct.u32(start + CONSTRAINT_SIZE, tableSize(list));
  return start;
}

/** The places for a list's combinations: a power of two, at least twice as many. */
function tableSize({ combinations }: CombinationList): number {
  let size = 2;
  while (size < 2 * combinations.length) size *= 2;
  return size;
}
