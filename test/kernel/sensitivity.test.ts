// Brute force over all neighbours of small tables, and an oracle in big integers over structures of any size.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ADD_REMOVE,
  MAX_ORDER,
  MOST_CENTRED,
  REPLACE,
  SCORE_ABOVE,
  SCORE_ABSOLUTE,
  SCORE_BELOW,
  SCORE_L1,
  SCORE_L2,
  SCORE_MAX,
} from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { unsigned } from "../privacy/vault.js";
import { centredTable } from "../reference/centred.js";
import { centredSquaredOf, l2SquaredOf, scoreSensitivityOf } from "../reference/sensitivity.js";
import { uniforms } from "../reference/statistics.js";

/** A row: a category of three, a class of two, a leaf of four. */
type Row = readonly [number, number, number];
type Query = (row: Row) => boolean;

interface Item {
  partitions: Query[][];
  free: Query[];
}

const DOMAIN: Row[] = [0, 1, 2].flatMap((a) => [0, 1].flatMap((c) => [0, 1, 2, 3].map((x) => [a, c, x] as const)));

const marginal: Query[] = [0, 1, 2].flatMap((a) => [0, 1].map((c) => (row: Row) => row[0] === a && row[1] === c));
const level = (bits: number): Query[] =>
  Array.from({ length: 2 ** bits }, (_, i) => (row: Row) => row[2] >> (2 - bits) === i);
const classConditional: Query[] = [0, 1].map((c) => (row: Row) => row[2] < 3 && row[1] === c);
const prefixes: Query[] = [...[1, 2, 3].map((bound) => (row: Row) => row[2] < bound), (row) => row[0] < 1];

const ITEMS: Record<string, Item> = {
  "a marginal": { partitions: [marginal], free: [] },
  "a tree of two levels": { partitions: [level(1), level(2)], free: [] },
  "a class-conditional family": { partitions: [classConditional], free: [] },
  "four prefixes": { partitions: [], free: prefixes },
  "marginal, tree and class-conditional": { partitions: [marginal, level(1), level(2), classConditional], free: [] },
  "marginal and prefixes": { partitions: [marginal], free: prefixes },
};

// L1 = L2² of the values, add-remove and replace.
const PUBLISHED: Record<string, [number, number]> = {
  "a marginal": [1, 2],
  "a tree of two levels": [2, 4],
  "a class-conditional family": [1, 2],
  "four prefixes": [4, 4],
  "marginal, tree and class-conditional": [4, 8],
  "marginal and prefixes": [5, 6],
};

const queriesOf = ({ partitions, free }: Item) => [...partitions.flat(), ...free];
const answers = (item: Item, rows: readonly Row[]) =>
  queriesOf(item).map((query) => rows.filter((row) => query(row)).length);

/** Pairs of tables that differ by one row, or by one person with up to k rows. */
function neighbours(relation: number, k: number): [Row[], Row[]][] {
  const uniform = uniforms(11);
  const row = () => DOMAIN[Math.floor(uniform() * DOMAIN.length)];
  const rest = [row(), row(), row()];
  if (relation === REPLACE)
    return DOMAIN.flatMap((a) =>
      DOMAIN.map(
        (b) =>
          [
            [...rest, a],
            [...rest, b],
          ] as [Row[], Row[]],
      ),
    );
  const persons = DOMAIN.flatMap((a) => [
    new Array<Row>(k).fill(a),
    Array.from({ length: k }, (_, i) => (i ? row() : a)),
  ]);
  return persons.map((person) => [[...rest, ...person], rest]);
}

const SCORES = {
  [SCORE_MAX]: (gaps: number[]) => Math.max(...gaps.map(Math.abs)),
  [SCORE_L1]: (gaps: number[]) => gaps.reduce((sum, gap) => sum + Math.abs(gap), 0),
  [SCORE_ABSOLUTE]: (gaps: number[]) => Math.abs(gaps[0]),
  [SCORE_ABOVE]: (gaps: number[]) => Math.max(...gaps),
  [SCORE_BELOW]: (gaps: number[]) => -Math.min(...gaps),
};

const engine = instance();
const { centredSquared, l2Squared, scoreSensitivity } = engine.exports;
const CASES = Object.keys(ITEMS).flatMap((name) =>
  [
    [ADD_REMOVE, 1],
    [ADD_REMOVE, 3],
    [REPLACE, 1],
  ].map(([relation, k]) => ({ name, relation, k })),
);

describe.each(CASES)("$name, relation $relation, up to $k rows", ({ name, relation, k }) => {
  const item = ITEMS[name];
  const structure = [item.partitions.length, item.free.length] as const;
  const pairs = neighbours(relation, k).map((pair) => pair.map((rows) => answers(item, rows)));

  it("values: L2² is attained and never exceeded", () => {
    const change = Math.max(...pairs.map(([c, d]) => c.reduce((sum, count, i) => sum + (count - d[i]) ** 2, 0)));
    expect(change).toBe(PUBLISHED[name][relation === REPLACE ? 1 : 0] * k ** 2);
    expect(l2Squared(...structure, relation, k)).toBe(BigInt(change));
  });

  it("scores: max, L1, single and signed are attained, at 2^scaleBits, and never exceeded", () => {
    const uniform = uniforms(3);
    const size = queriesOf(item).length;
    const targets = [0, 0.5, 1].flatMap((share) =>
      Array.from({ length: 200 }, () => Array.from({ length: size }, () => (uniform() < share ? 50 : 0))),
    );
    for (const [kind, score] of Object.entries(SCORES)) {
      let change = 0;
      for (const target of targets)
        for (const pair of pairs) {
          const [u, v] = pair.map((counts) => score(counts.map((count, i) => count - target[i])));
          change = Math.max(change, Math.abs(u - v));
        }
      const delta = scoreSensitivity(Number(kind), ...structure, relation, k, 8);
      expect(delta).toBe(BigInt(change) * 256n);
    }
  });

  it("scores: the rounded root is never exceeded", () => {
    const uniform = uniforms(5);
    const delta = scoreSensitivity(SCORE_L2, ...structure, relation, k, 4);
    expect(Number(delta)).toBe(Math.ceil(16 * Math.sqrt(PUBLISHED[name][relation === REPLACE ? 1 : 0])) * k);
    for (const pair of pairs) {
      const target = queriesOf(item).map(() => Math.floor(uniform() * 9) - 2);
      const [u, v] = pair.map((counts) =>
        Math.floor(Math.sqrt(256 * counts.reduce((sum, count, i) => sum + (count - target[i]) ** 2, 0))),
      );
      expect(Math.abs(u - v)).toBeLessThanOrEqual(Number(delta));
    }
  });
});

describe("structures of any size", () => {
  // Small numbers, numbers of all magnitudes, and the ends of 32 bits.
  const u32 = fc.oneof(
    fc.nat(20),
    fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(31)).map(([word, shift]) => word >>> shift),
    fc.constantFrom(2 ** 32 - 1, 2 ** 31),
  );
  const units: fc.Arbitrary<readonly [relation: number, maxRows: number]> = fc.oneof(
    fc.constant([REPLACE, 1] as const),
    u32.filter((rows) => rows > 0).map((rows) => [ADD_REMOVE, rows] as const),
  );
  const kinds = fc.constantFrom(SCORE_MAX, SCORE_L1, SCORE_ABSOLUTE, SCORE_L2, SCORE_ABOVE, SCORE_BELOW);

  it("have the sensitivities of the oracle, or the largest integer where these do not fit", () => {
    let [found, unbounded] = [0, 0];
    fc.assert(
      fc.property(u32, u32, units, kinds, fc.nat(32), (partitions, free, unit, kind, scaleBits) => {
        expect(unsigned(l2Squared(partitions, free, ...unit))).toBe(l2SquaredOf(partitions, free, ...unit));
        const delta = unsigned(scoreSensitivity(kind, partitions, free, ...unit, scaleBits));
        expect(delta).toBe(scoreSensitivityOf(kind, partitions, free, ...unit, scaleBits));
        if (delta === 2n ** 64n - 1n) unbounded++;
        else found++;
      }),
      { seed: 1, numRuns: 7000 },
    );
    expect(Math.min(found, unbounded)).toBeGreaterThan(500);
  });
});

describe("tables that are centred along some axes", () => {
  const squared = (centred: readonly number[], relation: number, maxRows: number) =>
    engine.scratch(() =>
      unsigned(centredSquared(engine.place(Uint32Array.from(centred)), centred.length, relation, maxRows)),
    );

  it.each([
    [[2], [true]],
    [[4], [true]],
    [
      [2, 2],
      [true, true],
    ],
    [
      [2, 5],
      [true, true],
    ],
    [
      [2, 5],
      [true, false],
    ],
    [
      [3, 4],
      [false, true],
    ],
    [
      [3, 4],
      [false, false],
    ],
    [
      [2, 2, 2],
      [true, true, true],
    ],
    [
      [2, 3, 4],
      [true, true, true],
    ],
    [
      [3, 2, 3],
      [true, false, true],
    ],
    [
      [2, 2, 2, 2],
      [true, true, true, true],
    ],
  ])("%j, %j: brute force over all neighbours", (sizes, centred) => {
    const cells = sizes.reduce((product, size) => product * size, 1);
    const along = sizes.map((size, axis) => (centred[axis] ? size : 0));
    const answers = Array.from({ length: cells }, (_, cell) => {
      const counts = Array<number>(cells).fill(0);
      counts[cell] = 1;
      return centredTable(sizes, centred, counts);
    });
    const square = (change: readonly number[]) => change.reduce((sum, step) => sum + step * step, 0);
    const added = Math.max(...answers.map(square));
    const replaced = Math.max(...answers.flatMap((a) => answers.map((b) => square(a.map((step, at) => step - b[at])))));
    expect(squared(along, ADD_REMOVE, 1)).toBe(BigInt(added));
    expect(squared(along, ADD_REMOVE, 3)).toBe(9n * BigInt(added)); // a person whose rows are the same
    expect(squared(along, REPLACE, 1)).toBe(BigInt(replaced));
  });

  it("have the sensitivities of the oracle", () => {
    const sizes = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 9 }), fc.nat(2 ** 32 - 1)), {
      maxLength: MAX_ORDER,
    });
    fc.assert(
      fc.property(
        sizes,
        fc.constantFrom(
          { relation: REPLACE, rows: 1 },
          { relation: ADD_REMOVE, rows: 1 },
          { relation: ADD_REMOVE, rows: 7 },
        ),
        (along, { relation, rows }) => {
          expect(squared(along, relation, rows)).toBe(centredSquaredOf(along, relation, rows, MOST_CENTRED));
        },
      ),
    );
  });

  it("have no bound without a relation, with too many axes, or where too many cells are centred together", () => {
    for (const [along, relation, maxRows] of [
      [[2, 2], 2, 1],
      [[2, 2], REPLACE, 2],
      [Array<number>(MAX_ORDER + 1).fill(0), ADD_REMOVE, 1],
      [[2, MOST_CENTRED / 2 + 1], ADD_REMOVE, 1],
    ] as const)
      expect(squared(along, relation, maxRows)).toBe(2n ** 64n - 1n);
  });
});

describe("a sensitivity without a bound", () => {
  const NONE = (1n << 64n) - 1n;

  it("is the largest integer, which no budget can pay for", () => {
    for (const value of [
      l2Squared(1, 0, 2, 1),
      l2Squared(1, 0, REPLACE, 2),
      l2Squared(1, 0, ADD_REMOVE, 0),
      l2Squared(2 ** 32 - 1, 2 ** 32 - 1, ADD_REMOVE, 2 ** 32 - 1),
      scoreSensitivity(6, 1, 0, ADD_REMOVE, 1, 0),
      scoreSensitivity(SCORE_MAX, 1, 0, ADD_REMOVE, 1, 33),
      scoreSensitivity(SCORE_MAX, 1, 0, REPLACE, 2, 0),
      scoreSensitivity(SCORE_L1, 2 ** 31, 0, ADD_REMOVE, 2 ** 31, 32),
      scoreSensitivity(SCORE_L2, 4, 0, ADD_REMOVE, 1, 31),
    ])
      expect(unsigned(value)).toBe(NONE);
  });
});
