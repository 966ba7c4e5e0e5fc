// Members of sets of queries: asked for, numbered and put together again.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { candidateAt, candidateCount, candidateGroups, groupOf } from "../../src/privacy/candidates.js";
import { countOf, membersAt, withMergedMembers } from "../../src/queries/members.js";
import { classOf, keyOf, type Query, queryOf } from "../../src/queries/query.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { uniforms } from "../reference/statistics.js";

const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 3, tree: false, missing: true },
  { name: "age", size: 20, tree: false, missing: false, ordered: true },
  { name: "pay", size: 30, tree: false, missing: false, ordered: true },
];
const TABLE = { attributes: ATTRIBUTES, fields: [] };
const uniform = uniforms(3);
const CODES = ATTRIBUTES.map(({ size }) => Uint16Array.from({ length: 200 }, () => Math.floor(size * uniform())));

const prefixes = (more: object = {}) =>
  workloadQueries(
    [{ query: "random-prefixes", columns: ["sex", "age", "pay"], count: 9000, seed: 4, ...more }] as never,
    TABLE,
  )[0];

const subsets = (among: number) =>
  fc.uniqueArray(fc.nat({ max: among - 1 }), { minLength: 1, maxLength: 12 }).map((all) => all.sort((a, b) => a - b));

it.each([false, true])("some members answer as they do in the whole set, asked about each category: %s", (each) => {
  const rows = RowAnswers.ofCodes(ATTRIBUTES, CODES);
  const whole = rows.of(prefixes({ each }));
  const cells = each ? 3 : 1;
  fc.assert(
    fc.property(subsets(9000), (numbers) => {
      const expected = numbers.flatMap((number) => [...whole.slice(number * cells, (number + 1) * cells)]);
      const stated = prefixes({ each, numbers });
      expect([...rows.of(stated)]).toEqual(expected);
      expect(countOf(stated)).toBe(numbers.length);
      expect(membersAt(prefixes({ each }), numbers)).toEqual(stated);
      const { members } = classOf(stated);
      expect(keyOf(members!.whole(stated))).toBe(keyOf(prefixes({ each })));
      expect(classOf(stated).json(stated)).toMatchObject({ count: 9000, numbers });
    }),
    { seed: 1, numRuns: 40, examples: [[[0]], [[8999]], [[4095, 4096]]] },
  );
  rows.drop();
});

it.each([[[]], [[3, 3]], [[4, 3]], [[-1]], [[9000]], [[1.5]], ["1"], [5], [null], [{ 0: 1 }]])(
  "refuses the members %j",
  (numbers) => {
    expect(() => prefixes({ numbers })).toThrow(/whose numbers are not/);
  },
);

it("candidates are numbered over all groups, and each number is one query", () => {
  const pair = queryOf([0, 1], ATTRIBUTES);
  const some = prefixes({ numbers: [7, 70, 700] });
  const groups = candidateGroups([pair, prefixes({ count: 10 }), some, pair]);
  expect(groups.map(({ first, count }) => [first, count])).toEqual([
    [0, 1],
    [1, 10],
    [11, 3],
    [14, 1],
  ]);
  expect(candidateCount(groups)).toBe(15);
  expect(candidateCount([])).toBe(0);
  const numbersOf = (number: number) => candidateAt(groups, number).numbers;
  expect([1, 2, 10].map(numbersOf)).toEqual([[0], [1], [9]]);
  expect([11, 12, 13].map(numbersOf)).toEqual([[7], [70], [700]]);
  expect([0, 14].map((number) => candidateAt(groups, number))).toEqual([pair, pair]);
  expect(Array.from({ length: 15 }, (_, number) => groups.indexOf(groupOf(groups, number)))).toEqual([
    0,
    ...new Array(10).fill(1),
    2,
    2,
    2,
    3,
  ]);
  expect(groups[1].one).toEqual(prefixes({ count: 10, numbers: [0] }));
});

it("members that were measured apart are searched together, and averaged by precision if measured twice", () => {
  const pair = queryOf([0, 1], ATTRIBUTES);
  const answered = (query: Query, answers: number[], sigma2: number) => ({
    ...{ query, answers: Float64Array.from(answers), sigma2 },
  });
  const other = answered(prefixes({ seed: 5, numbers: [2] }), [1], 3);
  const table = answered(pair, new Array(60).fill(1), 1);
  const merged = withMergedMembers([
    answered(prefixes({ numbers: [50] }), [10], 4),
    table,
    answered(prefixes({ numbers: [3, 50] }), [7, 20], 1),
    other,
    answered(prefixes({ numbers: [8] }), [9], 2),
  ]);
  expect(merged.map(({ query }) => query)).toEqual([prefixes({ numbers: [3, 8, 50] }), pair, other.query]);
  // (10/4 + 20/1) ÷ (1/4 + 1/1)
  expect([...merged[0].answers]).toEqual([7, 9, 18]);
  expect(merged.slice(1)).toEqual([table, other]);
});

it("merged members of several cells each keep them in order", () => {
  const one = (numbers: number[], answers: number[]) => ({
    ...{ query: prefixes({ each: true, numbers }), answers: Float64Array.from(answers), sigma2: 2 },
  });
  const [merged] = withMergedMembers([one([6], [1, 2, 3]), one([2], [4, 5, 6])]);
  expect([...merged.answers]).toEqual([4, 5, 6, 1, 2, 3]);
});
