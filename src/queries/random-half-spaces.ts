import type { Attribute } from "../domain/attribute.js";
import {
  HALF_SPACES_MOST_AXES,
  KIND_HALF_SPACES,
  ROLE_CODES,
  ROLE_DIVIDED,
  ROLE_LABEL,
  ROLE_VALUES,
  SIDE_ABOVE,
  SIDE_BELOW,
} from "../engine/layout.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";
import { askedIn, isIn, MOST_COUNT, membersOf, someOf, wrongDrawing } from "./query-set.js";

/** What a set of random half-spaces is drawn from. */
interface Drawing {
  /** How many half-spaces the set has, 1 to 1,000,000. */
  readonly count: number;
  /** The public seed of the draws, u32. */
  readonly seed: number;
  /** Names of columns that have no coordinates: each half-space asks in addition for a random code of one of them. */
  readonly labels: readonly string[];
  /** Whether each half-space is asked about every combination of the labels' codes, in place of a random code. */
  readonly each: boolean;
  /** Whether sums below the threshold count, or those above. */
  readonly side: "below" | "above";
  /** Whether a sum at the threshold does not count. */
  readonly strict: boolean;
  /** Which half-spaces of the set are asked for, ascending from 0 on; absent means all. */
  readonly numbers?: readonly number[];
}

/**
 * A workload's set of random half-spaces (Liu et al. 2023), or of class-conditional linear thresholds (Vietri et al.
 * 2022): each asks for rows x with ⟨θ, h(x)⟩ ≤ τ. The vector h(x) has, for each of the d columns that are not labels, a
 * coordinate per code, which is 1 for the row's code and otherwise 0; or, for a numeric column, its value in [0, 1)
 * and, if it can be missing, 1 or 0 for missing. The coordinates of θ are normal with variance 1/d, τ is normal with
 * variance 1. By default there are no labels, and a half-space counts sums `"below"` its threshold and at it.
 */
export type RandomHalfSpacesQuery = {
  readonly query: "random-half-spaces";
  readonly columns: readonly string[];
} & Pick<Drawing, "count" | "seed"> &
  Partial<Drawing>;

export interface RandomHalfSpaces extends Query, Drawing {}

const MOST_CELLS = 50_000_000;

const NOT_COLUMNS = `whose columns are not 1 to ${HALF_SPACES_MOST_AXES} modelled columns in the schema's order`;
const NOT_LABELS = "whose labels are not some of its columns, each named once";
const treeLabels = (names: string) =>
  `whose labels include ${names}, modelled as trees (labels need categories, or bins in the schema)`;
const NO_COORDINATES = "all of whose columns are labels";
const NO_LABELS = "which asks about each label, but has no labels";
const TOO_LARGE = "which has more than 50,000,000 cells";

/** Random half-spaces are free predicates; asked about each combination of labels, they are partitions. */
export const randomHalfSpaces: QueryClass<RandomHalfSpaces> = {
  kind: "random-half-spaces",
  number: KIND_HALF_SPACES,
  isColumnSet: false,
  states: ["count", "seed", "labels", "each", "side", "strict", "numbers"],
  // No label has fine codes.
  compared: ({ columns }) => columns,
  structure(query, attributes) {
    const count = askedIn(query);
    if (!query.each) return { partitions: [], free: count };
    const partition = { shape: sizesOf(query, attributes), isWhole: false };
    return { partitions: new Array(count).fill(partition), free: 0 };
  },
  canHave: (partitions, free) =>
    (partitions === 0 && isIn(free, 1, MOST_COUNT)) || (free === 0 && isIn(partitions, 1, MOST_COUNT)),
  members: membersOf(),
  json: ({ count, seed, labels, each, side, strict, numbers }) => ({
    ...{ count, seed, labels, each, side, strict },
    ...(numbers && { numbers }),
  }),
  parse(stated, columns, { attributes }) {
    if (!isIn(columns.length, 1, HALF_SPACES_MOST_AXES)) return NOT_COLUMNS;
    const { count, seed, labels: named = [], each = false, side = "below", strict = false } = stated;
    const trees = columns
      .map((column) => attributes[column])
      .filter(({ name, tree }) => tree && Array.isArray(named) && named.includes(name));
    if (trees.length) return treeLabels(trees.map(({ name }) => JSON.stringify(name)).join(", "));
    const labels = labelsAmong(named, columns, attributes);
    if (!labels) return NOT_LABELS;
    const wrong = wrongDrawing(stated, { each, strict });
    if (wrong !== undefined) return wrong;
    if (labels.length === columns.length) return NO_COORDINATES;
    if (each && !labels.length) return NO_LABELS;
    const drawing = { count, seed, labels, each, side, strict } as Drawing;
    const query = someOf<RandomHalfSpaces>(
      { kind: "random-half-spaces", columns, ...drawing },
      stated.numbers as readonly number[],
    );
    return cellsIn(query, attributes) * askedIn(query) > MOST_CELLS ? TOO_LARGE : query;
  },
  encode(query, attributes) {
    const { columns, seed, labels, each, side, strict, numbers } = query;
    const roles = columns.map((column) => {
      const { name, ordered } = attributes[column];
      if (labels.includes(name)) return each ? ROLE_DIVIDED : ROLE_LABEL;
      return ordered ? ROLE_VALUES : ROLE_CODES;
    });
    return [
      ...[askedIn(query), cellsIn(query, attributes), seed, side === "above" ? SIDE_ABOVE : SIDE_BELOW],
      ...[Number(strict), Number(numbers !== undefined), ...roles],
    ].concat(numbers ?? []);
  },
};

/** The labels in the order of the columns, or `undefined` if they are not some of these. */
function labelsAmong(
  named: unknown,
  columns: readonly number[],
  attributes: readonly Attribute[],
): string[] | undefined {
  if (!Array.isArray(named)) return undefined;
  const names = columns.flatMap((column) => {
    const { name } = attributes[column];
    return named.includes(name) ? [name] : [];
  });
  return names.length === named.length ? names : undefined;
}

/** The sizes of the columns that divide each half-space. */
function sizesOf({ columns, labels, each }: RandomHalfSpaces, attributes: readonly Attribute[]): number[] {
  if (!each) return [];
  return columns.flatMap((column) => (labels.includes(attributes[column].name) ? attributes[column].size : []));
}

const cellsIn = (query: RandomHalfSpaces, attributes: readonly Attribute[]): number =>
  sizesOf(query, attributes).reduce((product, size) => product * size, 1);
