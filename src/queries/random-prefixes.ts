import { type Attribute, valuesOf } from "../domain/attribute.js";
import { KIND_RANGES, STREAM_QUERIES } from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";
import { askedIn, firstBroken, isIn, MOST_COUNT, membersOf, someOf, wrongDrawing } from "./query-set.js";
import { boxesReached } from "./ranges.js";

/** What a set of random prefixes is drawn from. */
interface Drawing {
  /** How many prefixes, 1 to 1,000,000. */
  readonly count: number;
  /** The public seed of the draws, u32. */
  readonly seed: number;
  /** How many categorical columns each prefix has, with one random category each: 0 to 4. */
  readonly categories: number;
  /** How many numeric columns each prefix has, with a random threshold each: 0 to 4. */
  readonly thresholds: number;
  /** Whether each prefix is asked about every combination of the categories, in place of random ones. */
  readonly each: boolean;
  /** Whether values below the thresholds count, or those above. */
  readonly side: "below" | "above";
  /** Whether a value at the threshold does not count. */
  readonly strict: boolean;
  /** Whether the numeric columns of a prefix are different ones. */
  readonly distinct: boolean;
}

/**
 * A workload's set of random prefixes (Liu et al. 2023): each asks for rows with random categories in random
 * categorical columns and values below uniform thresholds in random numeric ones. The columns are those to draw from.
 * By default a prefix has one categorical column and two numeric ones, as far as there are any, and counts values
 * `"below"`, `strict` and in `distinct` columns.
 */
export type RandomPrefixesQuery = {
  readonly query: "random-prefixes";
  readonly columns: readonly string[];
  /** Which prefixes of the set are asked for, ascending from 0 on (default: all). */
  readonly numbers?: readonly number[];
} & Pick<Drawing, "count" | "seed"> &
  Partial<Drawing>;

export interface RandomPrefixes extends Query, Drawing {}

const MOST_CELLS = 50_000_000;
const MOST_COLUMNS = 32;
/** The most columns of one sort in a prefix: the words of a prefix have their places. */
const MOST_OF_A_SORT = 4;

/** Words per prefix: two for each categorical column (which, and which category), then two for each numeric one. */
const WORDS = 4 * MOST_OF_A_SORT;
/** Prefixes per stream: the streams of a seed are numbered. */
const PREFIXES = 4096;

const NOT_COLUMNS = "whose columns are not 1 to 32 modelled columns in the schema's order";
const NO_CATEGORY = "which asks about each category, but has no categorical column";
const TOO_LARGE = "which has more than 50,000,000 cells";

/** Random prefixes are free predicates; asked about each category, they are partitions. */
export const randomPrefixes: QueryClass<RandomPrefixes> = {
  kind: "random-prefixes",
  number: KIND_RANGES,
  isColumnSet: false,
  states: ["count", "seed", "categories", "thresholds", "each", "side", "strict", "distinct", "numbers"],
  // Which columns are drawn does not matter: a column's codes follow from what is asked, not from the seed.
  compared: ({ columns, thresholds }) => (thresholds ? columns : []),
  structure(query, attributes) {
    const asked = askedIn(query);
    if (!query.each) return { partitions: [], free: asked };
    const shape = sortsOf(query, attributes).categorical.map((axis) => attributes[query.columns[axis]].size);
    const partition = { shape, isWhole: false };
    return { partitions: new Array(asked).fill(partition), free: 0 };
  },
  canHave: (partitions, free) =>
    (partitions === 0 && isIn(free, 1, MOST_COUNT)) || (free === 0 && isIn(partitions, 1, MOST_COUNT)),
  members: membersOf(),
  json: ({ count, seed, categories, thresholds, each, side, strict, distinct, numbers }) => ({
    ...{ count, seed, categories, thresholds, each, side, strict, distinct },
    ...(numbers && { numbers }),
  }),
  parse(stated, columns, { attributes }) {
    if (!isIn(columns.length, 1, MOST_COLUMNS)) return NOT_COLUMNS;
    const { numeric, categorical } = sortsOf({ columns }, attributes);
    const { count, seed, each = false, side = "below", strict = true, distinct = true } = stated;
    const { categories = each ? 0 : Math.min(1, categorical.length), thresholds = Math.min(2, numeric.length) } =
      stated;
    const different = distinct ? numeric.length : numeric.length && MOST_OF_A_SORT;
    const mostCategories = each ? 0 : Math.min(MOST_OF_A_SORT, categorical.length);
    const mostThresholds = Math.min(MOST_OF_A_SORT, different);
    const wrong =
      wrongDrawing(stated, { each, strict, distinct }) ??
      firstBroken(
        [!each || categorical.length > 0, NO_CATEGORY],
        [isIn(categories, 0, mostCategories), `whose categories are not a whole number from 0 to ${mostCategories}`],
        [isIn(thresholds, 0, mostThresholds), `whose thresholds are not a whole number from 0 to ${mostThresholds}`],
        [Number(categories) + Number(thresholds) > 0, "whose prefixes have no category and no threshold"],
      );
    if (wrong !== undefined) return wrong;
    const drawing = { count, seed, categories, thresholds, each, side, strict, distinct } as Drawing;
    const cells = each ? categorical.reduce((product, axis) => product * attributes[columns[axis]].size, 1) : 1;
    const query = someOf<RandomPrefixes>(
      { kind: "random-prefixes", columns, ...drawing },
      stated.numbers as readonly number[],
    );
    return cells * askedIn(query) > MOST_CELLS ? TOO_LARGE : query;
  },
  encode(query, attributes) {
    const { columns, each, categories, thresholds } = query;
    const { categorical } = sortsOf(query, attributes);
    const divided = each ? categorical : [];
    const cells = divided.reduce((product, axis) => product * attributes[columns[axis]].size, 1);
    const bits = divided.reduce((sum, axis) => sum + 2 ** axis, 0);
    const sides = sidesOf(query, attributes);
    const words = new Uint32Array(4 + sides.length);
    words.set([askedIn(query), cells, bits, categories + thresholds]);
    words.set(sides, 4);
    return words;
  },
  reach: boxesReached,
};

/** The axes of numeric and of categorical columns. */
function sortsOf({ columns }: Pick<Query, "columns">, attributes: readonly Attribute[]) {
  const axes = [...columns.keys()];
  return {
    numeric: axes.filter((axis) => attributes[columns[axis]].ordered),
    categorical: axes.filter((axis) => !attributes[columns[axis]].ordered),
  };
}

/** The sides of the prefixes asked for, as the engine reads them: an axis and a bound each. */
function sidesOf(query: RandomPrefixes, attributes: readonly Attribute[]): Uint32Array {
  const { columns, seed, categories, thresholds, side, strict, distinct, numbers } = query;
  const { numeric, categorical } = sortsOf(query, attributes);
  const isBelow = side === "below";
  const values = columns.map((column) => valuesOf(attributes[column]));
  const asked = askedIn(query);
  const sides = new Uint32Array(2 * (categories + thresholds) * asked);
  const left: number[] = [];
  const axes = new Array<number>(thresholds);
  const cuts = new Array<number>(thresholds);
  let out = 0;
  let words: Uint32Array = new Uint32Array();
  let drawn = -1;
  for (let place = 0; place < asked; place++) {
    const number = numbers ? numbers[place] : place;
    const stream = Math.floor(number / PREFIXES);
    if (stream !== drawn) {
      drawn = stream;
      words = wordsOf(seed, stream, Math.min(PREFIXES, lastOf(query) + 1 - stream * PREFIXES));
    }
    const first = WORDS * (number % PREFIXES);
    refill(left, categorical);
    for (let draw = 0, word = first; draw < categories; draw++, word += 2) {
      const axis = taken(left, below(categorical.length - draw, words[word]));
      sides[out++] = axis;
      sides[out++] = (1 << 16) | below(values[axis], words[word + 1]);
    }
    refill(left, numeric);
    for (let draw = 0, word = first + WORDS / 2; draw < thresholds; draw++, word += 2) {
      const place = below(distinct ? numeric.length - draw : numeric.length, words[word]);
      const axis = distinct ? taken(left, place) : left[place];
      axes[draw] = axis;
      cuts[draw] = cutOf(words[word + 1], values[axis], isBelow === strict);
    }
    for (let draw = 0; draw < thresholds; draw++) {
      const axis = axes[draw];
      let cut = cuts[draw];
      // On an axis that was drawn twice, the values on one side of both cuts.
      for (let other = 0; !distinct && other < thresholds; other++)
        if (axes[other] === axis) cut = isBelow ? Math.min(cut, cuts[other]) : Math.max(cut, cuts[other]);
      sides[out++] = axis;
      sides[out++] = boundOf(cut, values[axis], isBelow);
    }
  }
  return sides;
}

/** Makes the first entries of a list those of another. */
function refill(list: number[], from: readonly number[]): void {
  for (let at = 0; at < from.length; at++) list[at] = from[at];
}

/** An entry of a list. Those after it move up. */
function taken(list: number[], place: number): number {
  const entry = list[place];
  for (let at = place + 1; at < list.length; at++) list[at - 1] = list[at];
  return entry;
}

/** The largest number of a prefix that is asked for. */
const lastOf = ({ count, numbers }: RandomPrefixes): number => (numbers ? numbers[numbers.length - 1] : count - 1);

/** The words of one stream for so many prefixes. */
function wordsOf(seed: number, stream: number, prefixes: number): Uint32Array {
  const engine = workbench();
  return engine.scratch(() => {
    const words = engine.alloc(4 * WORDS * prefixes);
    engine.exports.philoxWords(words, WORDS * prefixes, seed, STREAM_QUERIES, stream);
    return engine.readU32(words, WORDS * prefixes);
  });
}

/** A word as an integer below `bound`: the high half of the product. */
const below = (bound: number, word: number): number => Math.floor((word * bound) / 2 ** 32);

/** How many of a column's values lie before a threshold, not counting or counting one that is at it. */
function cutOf(threshold: number, values: number, isExclusive: boolean): number {
  const place = (threshold * values) / 2 ** 32;
  return isExclusive ? Math.ceil(place) : Math.floor(place) + 1;
}

/** The values on one side of a cut: the first of them in the low half, and above it, how many they are. */
function boundOf(cut: number, values: number, isBelow: boolean): number {
  if (isBelow) return (cut << 16) >>> 0;
  const first = Math.min(values, cut);
  return (((values - first) << 16) | first) >>> 0;
}
