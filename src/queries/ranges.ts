import { type Attribute, codesOf, valuesOf } from "../domain/attribute.js";
import { KIND_RANGES, MAX_ORDER } from "../engine/layout.js";
import { NOT_A_FEW } from "./column-set.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";

/** Thresholds are in units of 2^−32 of a column's range, 0 … 2^32. */
const UNITS = 2 ** 32;

/**
 * What a box asks of a column: `null` divides the box into the column's cells; a number is one code; of an ordered
 * column, `[from, to]` are the values v with from ≤ v < to, where a column's values are spread evenly over 0 … 2^32:
 * value c of n is at c·2^32/n. A missing value is in no such range.
 */
export type Side = null | number | readonly [from: number, to: number];

/**
 * A workload's boxes over a few columns: rows count that are inside on every side. `[0, to]` is a prefix, and with
 * `null` on a categorical column it is asked about each of its categories.
 */
export type RangesQuery = {
  readonly query: "ranges";
  readonly columns: readonly string[];
  /** For each box a side for each column. All boxes have `null` for the same columns. */
  readonly boxes: readonly (readonly Side[])[];
};

/** Boxes over a query's columns. */
export interface Ranges extends Query {
  readonly boxes: readonly (readonly Side[])[];
}

const NOT_BOXES =
  "whose boxes do not have, for each column, null, the number of a code, or [from, to] with 0 ≤ from < to ≤ 2^32";
const onTree = (name: string) =>
  `whose boxes have null or a code for "${name}", modelled as a tree (write [from, to], or give it bins in the schema)`;
const NOT_ALIKE = "whose boxes do not all have null for the same columns";
const TOO_LARGE = "whose boxes have more than 50,000,000 cells";
const MOST_CELLS = 50_000_000;

/**
 * The counts of rows in boxes: ranges of numbers, prefixes, categories, and combinations of them. Boxes may overlap, so
 * each is a free predicate; divided into the codes of some columns, it is a partition.
 */
export const ranges: QueryClass<Ranges> = {
  kind: "ranges",
  number: KIND_RANGES,
  isColumnSet: false,
  states: ["boxes"],
  compared: ({ columns, boxes }) => columns.filter((_, at) => boxes.some((box) => Array.isArray(box[at]))),
  structure({ columns, boxes }, attributes) {
    const shape = columns.flatMap((column, at) => (boxes[0][at] === null ? attributes[column].size : []));
    if (!shape.length) return { partitions: [], free: boxes.length };
    return { partitions: boxes.map(() => ({ shape, isWhole: false })), free: 0 };
  },
  canHave: (partitions, free) => (partitions === 0 && isCount(free)) || (free === 0 && isCount(partitions)),
  json: ({ boxes }) => ({ boxes }),
  parse({ boxes }, columns, { attributes }) {
    if (!columns.length || columns.length > MAX_ORDER) return NOT_A_FEW;
    const axes = columns.map((column) => attributes[column]);
    if (!Array.isArray(boxes) || !boxes.length) return NOT_BOXES;
    const tree = axes.find((axis, at) => axis.tree && boxes.some((box) => isOfCodes(box?.[at])));
    if (tree) return onTree(tree.name);
    if (!boxes.every((box) => isBox(box, axes))) return NOT_BOXES;
    const divided = axes.map((_, at) => boxes[0][at] === null);
    if (!boxes.every((box) => divided.every((is, at) => is === (box[at] === null)))) return NOT_ALIKE;
    const cells = axes.reduce((product, { size }, at) => (divided[at] ? product * size : product), boxes.length);
    return cells > MOST_CELLS ? TOO_LARGE : { kind: "ranges", columns, boxes };
  },
  encode({ columns, boxes }, attributes) {
    const axes = columns.map((column) => attributes[column]);
    const isDivided = axes.map((_, at) => boxes[0][at] === null);
    const cells = axes.reduce((product, { size }, at) => (isDivided[at] ? product * size : product), 1);
    const divided = isDivided.reduce((bits, is, at) => bits + Number(is) * 2 ** at, 0);
    const sides = isDivided.filter((is) => !is).length;
    const bounds = boxes.flatMap((box) =>
      box.flatMap((side, at) => (side === null ? [] : [at, boundOf(side, axes[at])])),
    );
    return [boxes.length, cells, divided, sides, ...bounds];
  },
  reach: boxesReached,
};

/**
 * For each column, the most answers of boxes that a change of a row's code there leaves and enters. These boxes have a
 * range there, or are divided by the column, and the row is on their other sides.
 * @param parameters what the engine reads of the boxes
 */
export function boxesReached(
  { columns }: Query,
  attributes: readonly Attribute[],
  parameters: Uint32Array,
): readonly number[] {
  const [boxes, , divided, sides] = parameters;
  const axes = columns.map((column) => ({ boxes: 0, last: 0, steps: new Int32Array(codesOf(attributes[column]) + 1) }));
  for (let at = 4, box = 1; box <= boxes; box++)
    for (const end = at + 2 * sides; at < end; at += 2) {
      const axis = axes[parameters[at]];
      const bound = parameters[at + 1];
      // A box may have a side twice.
      if (axis.last === box) continue;
      axis.last = box;
      axis.boxes++;
      axis.steps[bound & 0xffff]++;
      axis.steps[(bound & 0xffff) + (bound >>> 16)]--;
    }
  // The most boxes that have the same code in their range.
  const shared = axes.map(({ steps }) => {
    let open = 0;
    let most = 0;
    for (const step of steps) {
      open += step;
      most = Math.max(most, open);
    }
    return most;
  });
  return axes.map((axis, at) => {
    const isDivided = ((divided >>> at) & 1) === 1;
    const changed = isDivided ? boxes : Math.min(axis.boxes, 2 * shared[at]);
    const held = axes.map((other, place) => (place === at ? boxes : boxes - other.boxes + shared[place]));
    return Math.min(changed, ...held) * (isDivided ? 2 : 1);
  });
}

const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && Number(count) >= 1;

function isBox(box: unknown, axes: readonly Attribute[]): boolean {
  return Array.isArray(box) && box.length === axes.length && axes.every((axis, at) => isSide(box[at], axis));
}

const isOfCodes = (side: unknown): side is null | number => side === null || typeof side === "number";

function isSide(side: unknown, { size, ordered }: Attribute): boolean {
  if (isOfCodes(side)) return side === null || (Number.isInteger(side) && side >= 0 && side < size);
  if (!ordered || !Array.isArray(side) || side.length !== 2) return false;
  const [from, to] = side;
  return Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= UNITS;
}

/** The codes of a side as the engine reads them: the first in the low half, and above it, how many they are. */
function boundOf(side: Exclude<Side, null>, attribute: Attribute): number {
  if (typeof side === "number") return ((1 << 16) | side) >>> 0;
  const [from, to] = side.map((threshold) => Math.ceil((threshold * valuesOf(attribute)) / UNITS));
  return (((to - from) << 16) | from) >>> 0;
}
