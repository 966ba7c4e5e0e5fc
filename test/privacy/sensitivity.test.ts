// Brute force over all neighbours of small tables: the sensitivities that the engine computes from structure are never exceeded, and
// are reached.
import { expect, it } from "vitest";
import { ADD_REMOVE, REPLACE, SCORE_ABSOLUTE, SCORE_L1, SCORE_L2, SCORE_MAX } from "../../src/engine/layout.js";
import { instance } from "../engine.js";

/** A record: a category a of 3 and a leaf t of 4. */
type Row = { a: number; t: number };
const ROWS: Row[] = [0, 1, 2].flatMap((a) => [0, 1, 2, 3].map((t) => ({ a, t })));

/** An item: partitions give a row its cell, predicates say whether a row counts. */
interface Item {
  partitions: { cells: number; of: (row: Row) => number }[];
  predicates: ((row: Row) => boolean)[];
}
const marginal: Item = { partitions: [{ cells: 12, of: ({ a, t }) => 4 * a + t }], predicates: [] };
const tree: Item = {
  partitions: [
    { cells: 6, of: ({ a, t }) => 2 * a + (t >> 1) },
    { cells: 12, of: ({ a, t }) => 4 * a + t },
  ],
  predicates: [],
};
/** A threshold on t for each class a, over all classes: one partition, since a row has one class (the rest is not counted). */
const conditional: Item = { partitions: [{ cells: 4, of: ({ a, t }) => (t < 2 ? a : 3) }], predicates: [] };
const prefixes: Item = {
  partitions: [],
  predicates: [({ t }) => t < 1, ({ t }) => t < 2, ({ t }) => t < 3, ({ a }) => a < 2],
};
const joint = (...items: Item[]): Item => ({
  partitions: items.flatMap((item) => item.partitions),
  predicates: items.flatMap((item) => item.predicates),
});

const count = ({ partitions, predicates }: Item, rows: Row[]): number[] => [
  ...partitions.flatMap(({ cells, of }) => {
    const counts = new Array(cells).fill(0);
    for (const row of rows) counts[of(row)]++;
    return counts;
  }),
  ...predicates.map((predicate) => rows.filter(predicate).length),
];

/** All lists of `length` rows, in order of their numbers (tables are multisets). */
const tables = (length: number, from = 0): Row[][] =>
  length ? ROWS.slice(from).flatMap((row, at) => tables(length - 1, from + at).map((rest) => [row, ...rest])) : [[]];

function* neighbours(relation: number, maxRows: number): Generator<[Row[], Row[]]> {
  for (const base of [...tables(0), ...tables(1), ...tables(2).slice(0, 20)])
    if (relation === ADD_REMOVE) {
      for (let added = 1; added <= maxRows; added++) for (const rows of tables(added)) yield [base, [...base, ...rows]];
    } else
      for (const one of ROWS)
        for (const other of ROWS)
          yield [
            [...base, one],
            [...base, other],
          ];
}

const cases = [
  ["a marginal", marginal, 1, 2],
  ["a tree of 2 levels", tree, 2, 4],
  ["a class-conditional family", conditional, 1, 2],
  ["4 prefixes as one item", prefixes, 4, 4],
  ["marginal, tree and class-conditional jointly", joint(marginal, tree, conditional), 4, 8],
] as const;
const { exports } = instance();

it.each(cases)("%s: the squared L2 sensitivity is what the neighbours show", (_, item, addRemove, replace) => {
  for (const [relation, maxRows, expected] of [
    [ADD_REMOVE, 1, addRemove],
    [REPLACE, 1, replace],
    [ADD_REMOVE, 2, 4 * addRemove],
  ] as const) {
    let most = 0;
    for (const [one, other] of neighbours(relation, maxRows)) {
      const [x, y] = [count(item, one), count(item, other)];
      most = Math.max(
        most,
        x.reduce((sum, value, cell) => sum + (value - y[cell]) ** 2, 0),
      );
    }
    expect(most).toBe(expected);
    const bound = exports.l2Squared(item.partitions.length, item.predicates.length, relation, maxRows);
    expect(bound).toBe(BigInt(expected));
  }
});

const SCORES = [
  ["max", SCORE_MAX, (c: number[], t: number[]) => Math.max(...c.map((value, at) => Math.abs(value - t[at])))],
  ["L1", SCORE_L1, (c: number[], t: number[]) => c.reduce((sum, value, at) => sum + Math.abs(value - t[at]), 0)],
  ["one cell", SCORE_ABSOLUTE, (c: number[], t: number[]) => Math.abs(c[0] - t[0])],
  [
    "L2",
    SCORE_L2,
    (c: number[], t: number[]) => Math.floor(Math.sqrt(c.reduce((sum, value, at) => sum + (value - t[at]) ** 2, 0))),
  ],
] as const;

it.each(SCORES)(
  "the sensitivity of the %s score bounds every neighbour, and is reached where it is not rounded",
  (name, kind, score) => {
    for (const [, item] of cases)
      for (const [relation, maxRows] of [
        [ADD_REMOVE, 1],
        [REPLACE, 1],
        [ADD_REMOVE, 2],
      ]) {
        const cells = count(item, []).length;
        const targets = [
          new Array(cells).fill(0),
          new Array(cells).fill(9),
          Array.from({ length: cells }, (_, at) => (at * 7) % 4),
        ];
        let most = 0;
        for (const [one, other] of neighbours(relation, maxRows)) {
          const [x, y] = [count(item, one), count(item, other)];
          for (const target of targets) most = Math.max(most, Math.abs(score(x, target) - score(y, target)));
          // Targets at one of the tables make the score of the other as far off as it can be.
          most = Math.max(most, score(x, y));
        }
        const bound = Number(
          exports.scoreSensitivity(kind, item.partitions.length, item.predicates.length, relation, maxRows, 0),
        );
        expect(most).toBeLessThanOrEqual(bound);
        if (name !== "L2") expect(most).toBe(bound);
      }
  },
);
