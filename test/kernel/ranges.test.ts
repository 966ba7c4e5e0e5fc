import fc from "fast-check";
import { expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import type { Ranges } from "../../src/queries/ranges.js";
import { engineAnswers } from "../answers.js";
import { attribute, columnsOf, rangesAmong } from "../random-tables.js";
import { rangesAnswers } from "../reference/ranges.js";
import { changed, lossOf } from "../reference/residuals.js";
import { openSearch, problems } from "../search.js";

const problem = fc.array(attribute(9), { minLength: 1, maxLength: 5 }).chain((attributes) =>
  fc.integer({ min: 0, max: 60 }).chain((rows) =>
    fc.record({
      attributes: fc.constant(attributes),
      query: rangesAmong(attributes, 4),
      codes: columnsOf(attributes, rows),
      ends: fc.array(fc.integer({ min: 0, max: rows }), { maxLength: 3 }),
    }),
  ),
);

it("counts as the definition does, however the rows are split", () => {
  fc.assert(
    fc.property(problem, ({ attributes, query, codes, ends }) => {
      expect(engineAnswers(query, attributes, codes, ends)).toEqual(rangesAnswers(query, attributes, codes));
    }),
    { seed: 1, numRuns: 400 },
  );
});

it("compares codes up to the largest", () => {
  const attributes: Attribute[] = [{ name: "column", size: 33, tree: true, missing: true, fine: 65_534 }];
  const codes = [Uint16Array.from({ length: 20 }, (_, row) => 65_534 - (row % 10))];
  const boxes = [
    [0, 2 ** 32],
    [2 ** 32 - 3 * 65_536, 2 ** 32],
    [0, 2 ** 32 - 3 * 65_536],
    [0, 1],
  ].map(([from, to]) => [[from, to]] as const);
  const query: Ranges = { kind: "ranges", columns: [0], boxes };
  const counts = engineAnswers(query, attributes, codes);
  expect(counts).toEqual(rangesAnswers(query, attributes, codes));
  expect([...counts]).toEqual([18, 4, 14, 0]);
});

it("finds for every code the loss that a search scores it with", () => {
  let tested = 0;
  fc.assert(
    fc.property(problems, (search) => {
      const used = search.queries.flatMap(({ kind, columns }) => (kind === "ranges" ? columns : []));
      fc.pre(used.length > 0);
      const { exports, search: pointer } = openSearch(search);
      const state = exports.descentOpen(pointer, 0, 1);
      const before = lossOf(search, search.codes);
      for (const column of used)
        expect(exports.searchDelta(pointer, 0, column, 0)).toBe(
          lossOf(search, changed(search.codes, 0, column, 0)) - before,
        );
      exports.descend(state, 1);
      expect(exports.searchLoss(pointer)).toBeLessThanOrEqual(before);
      tested++;
    }),
    { seed: 4, numRuns: 60 },
  );
  expect(tested).toBe(60);
});
