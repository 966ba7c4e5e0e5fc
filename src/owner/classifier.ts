import type { Table } from "../core/table.js";
import { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  EXAMPLES_AT_ONCE,
  EXAMPLES_COLUMNS,
  EXAMPLES_COUNT,
  EXAMPLES_PART,
  EXAMPLES_PARTS,
  EXAMPLES_ROWS,
  EXAMPLES_TARGET,
  FEATURE_BYTES,
  FEATURE_CODES,
  FEATURE_FIRST,
  FEATURE_OTHER,
  FEATURE_TIMES,
  FEATURE_VALUES,
} from "../engine/layout.js";
import { eachBlock, type ModelColumn, writeModelCodes } from "../engine/model-codes.js";
import { modelColumns } from "../schema/encode.js";
import type { Schema } from "../schema/schema.js";
import { minimised } from "./minimise.js";

/**
 * Training ends once no component of the gradient is larger than this, in units in which the second derivatives are
 * about 1: the weights are then off by about this part of their standard errors.
 */
const TOLERANCE = 1e-3;
/** The same with pairs of columns: their many weights take long to find exactly, and predictions no longer change. */
const PAIR_TOLERANCE = 0.3;

/** At most this many ranges of a column of numbers take part in pairs: runs of its cells, of about equal length. */
const PAIR_RANGES = 8;
/** Columns with more categories than this are in no pair. */
const PAIR_CATEGORIES = 32;
/** Pairs are left out where a pass over rows and pairs, or the weights, would be more than this many numbers. */
const PAIR_PRODUCTS = 5e6;
const PAIR_WEIGHTS = 5e5;

/**
 * A column as features: a number has its position between the bounds, and another feature for missing. Or a pair of
 * columns, with a feature for each pair of codes.
 */
interface Feature {
  readonly codes: number;
  readonly values: number;
  readonly size: number;
  readonly other?: Pairable;
}

/** The codes of a column that takes part in pairs. */
interface Pairable {
  readonly codes: number;
  readonly size: number;
}

/** Logistic regression for one target. */
export interface Classifier {
  /** Whether pairs of columns have weights too. */
  readonly pairs: boolean;
  /** The target's codes that occurred, ascending: its classes. */
  readonly codes: Uint16Array;
  readonly weights: Float64Array;
}

/** A table's rows in an engine of their own, from which classifiers learn, or on which they are tested. */
export class Examples {
  readonly #engine: Instance;
  readonly #rows: number;
  /** For each target, its codes, and how many there are without missing. */
  readonly #targets: readonly { readonly pointer: number; readonly size: number }[];
  readonly #features: readonly Feature[];
  readonly #pairs: readonly Feature[];
  /** u8[rows]: the part that a row belongs to. */
  readonly #parts: number;

  /** @param targets places of attributes; all others are features */
  constructor(table: Table, schema: Schema, targets: readonly number[]) {
    const columns = modelColumns(table, schema);
    this.#engine = new Instance();
    this.#rows = table.length;
    this.#parts = this.#engine.alloc(this.#rows);
    this.#targets = targets.map((target) => {
      const { size, missing } = schema.attributes[target];
      return { pointer: this.#codesOf(columns[target]), size: missing ? size - 1 : size };
    });
    const others = columns.filter((_, at) => !targets.includes(at));
    this.#features = others.map((column) =>
      column.grid ? this.#positionsOf(column) : { codes: this.#codesOf(column), values: 0, size: column.last + 1 },
    );
    const paired = others.flatMap((column, at) => this.#pairable(column, this.#features[at]));
    this.#pairs = paired.flatMap(({ codes, size }, at) =>
      paired.slice(at + 1).map((other) => ({ codes, values: 0, size: size * other.size, other })),
    );
  }

  /** Whether there are pairs of columns, and few enough to learn from all of them. */
  canPair(target: number): boolean {
    const { size } = this.#targets[target];
    const each = size === 2 ? 1 : size;
    const products = this.#rows * this.#pairs.length * each;
    const weights = featureCount(this.#pairs) * each;
    return this.#pairs.length > 0 && products <= PAIR_PRODUCTS && weights <= PAIR_WEIGHTS;
  }

  /** Puts this share of the rows, drawn with the seed, into part 1. All others stay in part 0. */
  split(share: number, seed: number): void {
    const rows = this.#rows;
    const order = this.#engine.scratch(() => {
      const pointer = this.#engine.alloc(4 * rows);
      this.#engine.exports.sampleOrder(pointer, rows, seed, this.#engine.alloc(16 * rows));
      return this.#engine.readU32(pointer, Math.round(share * rows));
    });
    const parts = new Uint8Array(rows);
    for (const row of order) parts[row] = 1;
    this.#engine.write(this.#parts, parts);
  }

  /** How many rows of a part have each class of a target; rows whose target is missing have none. */
  classCounts(target: number, part: number): Uint32Array {
    return this.#sums(target, part, false).counts;
  }

  /**
   * The classifier with the least Σ −log p(class) + ½ Σ weight², the intercepts' weights left out, for a part of the
   * rows. Yields now and then.
   * @param pairs whether it also learns from pairs of columns
   */
  *trained(
    target: number,
    part: number,
    pairs = false,
    tolerance = pairs ? PAIR_TOLERANCE : TOLERANCE,
  ): Generator<void, Classifier> {
    const { counts, squares } = this.#sums(target, part, pairs);
    const codes = Uint16Array.from(counts.keys()).filter((code) => counts[code]);
    const slots = new Uint16Array(counts.length);
    for (const [slot, code] of codes.entries()) slots[code] = slot;
    const classes = codes.length;
    const each = classes === 2 ? 1 : classes;
    const units = new Float64Array(each * squares.length);
    for (let at = 0; at < units.length; at++)
      units[at] = 1 / Math.sqrt(1 + (squares[Math.floor(at / each)] * (classes - 1)) / classes ** 2);
    const sums = this.#zeroSums(this.#featuresOf(pairs), squares, each);
    const gradientAt = (point: Float64Array) => {
      const weights = point.map((value, at) => value * units[at]);
      const gradient = this.#gradientAt(weights, target, part, pairs, slots, classes);
      for (let at = 0; at < units.length; at++)
        gradient[at] = (at < each ? gradient[at] : gradient[at] + weights[at]) * units[at];
      for (const places of sums) leaveSum(gradient, units, places);
      return gradient;
    };
    const point = yield* minimised(gradientAt, classes > 1 ? units.length : 0, tolerance);
    return { pairs, codes, weights: units.map((unit, at) => unit * (point[at] ?? 0)) };
  }

  /** How often a classifier predicts each class for the rows of a part, and how often rightly so. */
  predicted(
    { pairs, codes, weights }: Classifier,
    target: number,
    part: number,
  ): { readonly predicted: Uint32Array; readonly hits: Uint32Array } {
    const engine = this.#engine;
    const { size } = this.#targets[target];
    return engine.scratch(() => {
      const [predicted, hits, scratch] = engine.reserve([4 * size, 4 * size, 8 * codes.length]);
      const [classes, placed] = engine.placeAll([codes, weights]);
      engine.exports.logisticHits(
        ...([this.#place(target, part, pairs), size, classes, codes.length, placed, predicted, hits, scratch] as const),
      );
      return { predicted: engine.readU32(predicted, size), hits: engine.readU32(hits, size) };
    });
  }

  /** Overwrites the rows, which may be real ones, and gives the engine back. */
  drop(): void {
    this.#engine.exports.wipe();
    this.#engine.drop();
  }

  /**
   * The places of weights whose sum is 0 at the optimum: of a class and a column of categories, those of the codes that
   * occur. Each row has exactly one of these features. So adding a number to all of these weights, and subtracting it
   * from the intercept, changes no probability, and the penalty is least where they add up to 0.
   */
  #zeroSums(features: readonly Feature[], squares: Float64Array, each: number): number[][] {
    let first = 1;
    return features.flatMap(({ values, size }) => {
      const occurring = Array.from({ length: size }, (_, code) => first + code).filter((feature) => squares[feature]);
      first += size;
      if (values) return [];
      return Array.from({ length: each }, (_, place) => occurring.map((feature) => each * feature + place));
    });
  }

  /** The rows of each class, and the sums of the squares of the features' values. */
  #sums(target: number, part: number, pairs: boolean): { counts: Uint32Array; squares: Float64Array } {
    const engine = this.#engine;
    const { size } = this.#targets[target];
    const features = featureCount(this.#featuresOf(pairs));
    return engine.scratch(() => {
      const [counts, squares] = engine.reserve([4 * size, 8 * features]);
      engine.exports.sumExamples(this.#place(target, part, pairs), size, counts, squares);
      return { counts: engine.readU32(counts, size), squares: engine.readF64(squares, features) };
    });
  }

  #gradientAt(
    weights: Float64Array,
    target: number,
    part: number,
    pairs: boolean,
    slots: Uint16Array,
    classes: number,
  ): Float64Array {
    const engine = this.#engine;
    return engine.scratch(() => {
      const [gradient, scratch] = engine.reserve([weights.byteLength, 8 * classes * EXAMPLES_AT_ONCE]);
      const [slotsAt, placed] = engine.placeAll([slots, weights]);
      engine.exports.logisticGradient(
        ...([this.#place(target, part, pairs), slotsAt, slots.length, classes, placed, gradient, scratch] as const),
      );
      return engine.readF64(gradient, weights.length);
    });
  }

  /** Writes the struct EXAMPLES. */
  #place(target: number, part: number, pairs: boolean): number {
    const features = this.#featuresOf(pairs);
    const words = new Uint32Array((EXAMPLES_COLUMNS + features.length * FEATURE_BYTES) / 4);
    words[EXAMPLES_ROWS / 4] = this.#rows;
    words[EXAMPLES_TARGET / 4] = this.#targets[target].pointer;
    words[EXAMPLES_PARTS / 4] = this.#parts;
    words[EXAMPLES_PART / 4] = part;
    words[EXAMPLES_COUNT / 4] = features.length;
    let first = 1;
    for (const [at, { codes, values, size, other }] of features.entries()) {
      const feature = (EXAMPLES_COLUMNS + at * FEATURE_BYTES) / 4;
      words[feature + FEATURE_CODES / 4] = codes;
      words[feature + FEATURE_VALUES / 4] = values;
      words[feature + FEATURE_FIRST / 4] = first;
      words[feature + FEATURE_OTHER / 4] = other?.codes ?? 0;
      words[feature + FEATURE_TIMES / 4] = other?.size ?? 0;
      first += size;
    }
    return this.#engine.place(words);
  }

  #featuresOf(pairs: boolean): readonly Feature[] {
    return pairs ? [...this.#features, ...this.#pairs] : this.#features;
  }

  /** A column as it takes part in pairs, if it does. */
  #pairable(column: ModelColumn, feature: Feature): Pairable[] {
    const { grid } = column;
    if (!grid) return feature.size <= PAIR_CATEGORIES ? [feature] : [];
    const cells = grid.starts.length;
    const ranges = Math.min(cells, PAIR_RANGES);
    const starts = Float64Array.from({ length: ranges }, (_, at) => grid.starts[Math.floor((at * cells) / ranges)]);
    const last = grid.missing === undefined ? ranges - 1 : ranges;
    return [{ codes: this.#codesOf({ ...column, last, grid: { ...grid, starts } }), size: last + 1 }];
  }

  /** Writes the codes u16[rows] that queries see. */
  #codesOf(column: ModelColumn): number {
    const pointer = this.#engine.alloc(2 * this.#rows);
    const blocks = Array.from(
      { length: Math.ceil(this.#rows / BLOCK_ROWS) },
      (_, block) => pointer + 2 * BLOCK_ROWS * block,
    );
    writeModelCodes(this.#engine, [column], [blocks], this.#rows);
    return pointer;
  }

  /** Writes the positions of a number, date or time between its bounds. */
  #positionsOf(column: ModelColumn): Feature {
    const engine = this.#engine;
    const { points, missing = Number.NaN } = column.grid!;
    const [codes, values] = engine.reserve([2 * this.#rows, 8 * this.#rows]);
    engine.scratch(() => {
      const bytes = column.bytes * BLOCK_ROWS;
      const buffer = engine.alloc(bytes);
      eachBlock(engine, column, buffer, this.#rows, (block, count) => {
        const first = block * BLOCK_ROWS;
        engine.exports.unitValues(
          ...([buffer, column.bytes, count, points - 1, missing, codes + 2 * first, values + 8 * first] as const),
        );
      });
      engine.exports.clear(buffer, bytes);
    });
    return { codes, values, size: 2 };
  }
}

/** How many weights a class has, with its intercept. */
const featureCount = (features: readonly Feature[]) => features.reduce((sum, { size }) => sum + size, 1);

/**
 * Removes what would change the sum of the weights at some places, which otherwise takes the search hundreds of steps.
 * @param units of the variables: each weight is a variable times its unit
 */
function leaveSum(gradient: Float64Array, units: Float64Array, places: readonly number[]): void {
  let [along, squared] = [0, 0];
  for (const at of places) {
    along += gradient[at] * units[at];
    squared += units[at] ** 2;
  }
  for (const at of places) gradient[at] -= (units[at] * along) / squared;
}
