// Scores of candidates, members of sets among them, over every neighbour of small tables: no score changes by more than
// the sensitivity that a choice is made with, whatever the weights.
import { expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { SCORE_BELOW } from "../../src/engine/layout.js";
import { scoreSensitivity } from "../../src/privacy/accounting.js";
import { candidateGroups, signedCellGroups } from "../../src/privacy/candidates.js";
import { type Score, scoreKind, selectionItem, WEIGHT_ONE } from "../../src/privacy/items.js";
import { cellsOf, type Query, queryOf } from "../../src/queries/query.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { wholeWeights } from "../../src/selection/weights.js";
import { instance } from "../engine.js";
import { uniforms } from "../reference/statistics.js";

const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 3, tree: false, missing: false, ordered: true },
];
const TABLE = { attributes: ATTRIBUTES, fields: [] };
const set = (more: object) =>
  ({ query: "random-prefixes", columns: ["sex", "age"], count: 7, seed: 2, thresholds: 1, ...more }) as never;
const QUERIES = [
  queryOf([0, 1], ATTRIBUTES),
  ...workloadQueries([set({}), set({ each: true, seed: 9 }), set({ numbers: [1, 5] })], TABLE),
];
const WEIGHTS = new Map(QUERIES.map((query, at) => [query, [4, 3, 1, 0.001][at]]));
const GROUPS = candidateGroups(QUERIES);
const SIGNED = signedCellGroups(QUERIES.slice(0, 1), ATTRIBUTES);
const groupsFor = (score: Score) => (score === "signed" ? SIGNED : GROUPS);

/** All rows that there are, and some tables of a few of them. */
const ROWS = [0, 1].flatMap((sex) => [0, 1, 2].map((age) => [sex, age]));
const uniform = uniforms(8);
const TABLES = Array.from({ length: 12 }, (_, size) =>
  Array.from({ length: size % 5 }, () => ROWS[Math.floor(ROWS.length * uniform())]),
);
const TARGETS = QUERIES.map((query) =>
  Int32Array.from({ length: cellsOf(query, ATTRIBUTES) }, () => Math.floor(4 * uniform())),
);

const engine = instance();

/** The scores of all candidates for a table. */
function scoresOf(rows: readonly (readonly number[])[], score: Score): bigint[] {
  const codes = ATTRIBUTES.map((_, at) => Uint16Array.from(rows, (row) => row[at]));
  const answers = RowAnswers.ofCodes(ATTRIBUTES, codes);
  const weightOf = wholeWeights({ weights: WEIGHTS }, QUERIES, WEIGHT_ONE);
  const scores = groupsFor(score).flatMap(({ query, one, count, areComplements }) =>
    engine.scratch(() => {
      const kind = areComplements ? SCORE_BELOW : scoreKind(score);
      const [counts, targets] = [answers.of(query), TARGETS[QUERIES.indexOf(query)]].map((table) =>
        engine.place(table),
      );
      const places = engine.place(Uint32Array.from({ length: count }, (_, place) => place));
      const out = engine.alloc(8 * count);
      const cells = cellsOf(one as Query, ATTRIBUTES);
      engine.exports.scoreMembers(
        ...([counts, targets, cells, count, places, count, kind, weightOf(query), 0n, 16, out] as const),
      );
      return [...engine.i64(out, count)];
    }),
  );
  answers.drop();
  return scores;
}

const without = (rows: readonly (readonly number[])[], place: number) => rows.filter((_, at) => at !== place);

it.each([
  ["max", "add-remove"],
  ["max", "replace"],
  ["l1", "add-remove"],
  ["l1", "replace"],
  ["signed", "add-remove"],
  ["signed", "replace"],
] as const)("by %s under %s", (score, neighbours) => {
  const terms = { schema: { attributes: ATTRIBUTES }, neighbours, unit: "row" } as const;
  const item = selectionItem(groupsFor(score), { score, picks: 1, isWeighted: true }, 1n << 50n, terms);
  expect(item).toMatchObject({ candidates: score === "signed" ? 12 : 17, scaleBits: 16 });
  const { partitions, free, sensitivity } = item;
  const scaled = scoreSensitivity({ kind: scoreKind(score), scaleBits: 16 }, partitions, free, neighbours, "row");
  expect(scaled).toBe(sensitivity * 65_536n);
  let largest = 0n;
  const changes = TABLES.flatMap((rows) => {
    const before = scoresOf(rows, score);
    const next =
      neighbours === "add-remove"
        ? ROWS.map((row) => [...rows, row])
        : rows.flatMap((_, place) => ROWS.map((row) => [...without(rows, place), row]));
    return next.map((other) => scoresOf(other, score).map((after, at) => after - before[at]));
  });
  for (const change of changes)
    for (const [at, step] of change.entries()) {
      const size = step < 0n ? -step : step;
      expect(size <= scaled).toBe(true);
      if (at === 0 && size > largest) largest = size;
    }
  // The candidate of the largest weight reaches it.
  expect(largest).toBe(scaled);
});
