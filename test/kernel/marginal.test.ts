import fc from "fast-check";
import { expect, it } from "vitest";
import type { Query } from "../../src/queries/query.js";
import { engineAnswers } from "../answers.js";
import { attribute, columnsOf, queryAmong } from "../random-tables.js";
import { answers } from "../reference/marginal.js";

const problem = fc
  .array(attribute(9), { minLength: 1, maxLength: 6 })
  .chain((attributes) =>
    fc.record({
      attributes: fc.constant(attributes),
      query: queryAmong(attributes, attributes.some(({ tree }) => tree) ? 3 : 5),
      codes: fc.integer({ min: 0, max: 40 }).chain((rows) => columnsOf(attributes, rows)),
    }),
  )
  .chain(({ codes, ...rest }) =>
    fc.record({
      attributes: fc.constant(rest.attributes),
      query: fc.constant(rest.query),
      codes: fc.constant(codes),
      ends: fc.array(fc.integer({ min: 0, max: codes[0].length }), { maxLength: 3 }),
    }),
  );

it("counts as the definition does, however the rows are split", () => {
  fc.assert(
    fc.property(problem, ({ attributes, query, codes, ends }) => {
      expect(engineAnswers(query, attributes, codes, ends)).toEqual(answers(query, attributes, codes));
    }),
    { seed: 1, numRuns: 300 },
  );
});

it("counts the same whatever the order of the rows", () => {
  fc.assert(
    fc.property(problem, ({ attributes, query, codes }) => {
      const turned = codes.map((column) => column.slice().reverse());
      expect(engineAnswers(query, attributes, turned)).toEqual(engineAnswers(query, attributes, codes));
    }),
    { seed: 2, numRuns: 100 },
  );
});

it("counts every row in a total", () => {
  const attributes = [{ name: "sex", size: 2, tree: false, missing: false }];
  const total: Query = { kind: "total", columns: [] };
  expect([...engineAnswers(total, attributes, [Uint16Array.of(0, 1, 1, 0, 1)], [2])]).toEqual([5]);
});

it("distinguishes codes up to the largest", () => {
  const attributes = [65_534, 3].map((size) => ({ name: "column", size, tree: false, missing: false }));
  const codes = [
    Uint16Array.from({ length: 9 }, (_, row) => 65_533 - row),
    Uint16Array.from({ length: 9 }, (_, row) => row % 3),
  ];
  const query: Query = { kind: "marginal", columns: [0, 1] };
  expect(engineAnswers(query, attributes, codes)).toEqual(answers(query, attributes, codes));
});
