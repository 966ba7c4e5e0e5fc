import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Query } from "../../src/queries/query.js";
import { engineAnswers, gpuAnswers } from "../answers.js";
import { gpuEngines } from "../gpu-engines.js";
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

/** So many cells that a GPU's workgroup cannot keep them. */
const LARGE = {
  query: { kind: "marginal", columns: [0, 1] } as Query,
  attributes: [65_534, 3].map((size) => ({ name: "column", size, tree: false, missing: false })),
  codes: [
    Uint16Array.from({ length: 9 }, (_, row) => 65_533 - row),
    Uint16Array.from({ length: 9 }, (_, row) => row % 3),
  ],
};

it("distinguishes codes up to the largest", () => {
  const { query, attributes, codes } = LARGE;
  expect(engineAnswers(query, attributes, codes)).toEqual(answers(query, attributes, codes));
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("counts as the definition does", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    const cases = [LARGE, ...fc.sample(problem, { seed: 5, numRuns: 60 }).filter(({ codes }) => codes[0].length)];
    for (const { query, attributes, codes } of cases)
      expect(await gpuAnswers(gpu, [query], attributes, codes)).toEqual([answers(query, attributes, codes)]);
  });

  it("counts every row once, in rows and cells that buffers hold in parts", async ({ skip }) => {
    if (missing) skip(missing);
    const attributes = [
      { name: "age", size: 33, tree: true, missing: true, fine: 600 },
      ...[2, 7, 90].map((size) => ({ name: "column", size, tree: false, missing: false })),
    ];
    const codes = [601, 2, 7, 90].map((size, at) =>
      Uint16Array.from({ length: 9001 }, (_, row) => (row * (at + 5)) % size),
    );
    const queries: Query[] = [
      { kind: "total", columns: [] },
      { kind: "marginal", columns: [1] },
      { kind: "tree", columns: [0, 2] },
      { kind: "marginal", columns: [1, 2, 3] },
      { kind: "tree", columns: [0, 3] },
    ];
    const expected = queries.map((query) => answers(query, attributes, codes));
    expect(await gpuAnswers(await open(), queries, attributes, codes)).toEqual(expected);
    expect(await gpuAnswers(await open(), queries, attributes, codes, 2000)).toEqual(expected);
  });
});
