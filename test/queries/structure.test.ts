// The structure of every class of queries, which sensitivities follow from, against what the engine counts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, codesOf } from "../../src/domain/attribute.js";
import type { CategoryDomain } from "../../src/domain/categories.js";
import { TREE_LEAVES } from "../../src/engine/layout.js";
import { CLASSES } from "../../src/queries/index.js";
import { cellsOf, type Query, queryOf, structureOf } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import type { RandomPrefixes } from "../../src/queries/random-prefixes.js";
import type { Ranges, Side } from "../../src/queries/ranges.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { TOTAL } from "../../src/queries/total.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { expectStructure } from "./structure.js";

const attributes: fc.Arbitrary<Attribute[]> = fc
  .array(
    fc.record({
      ...{ tree: fc.boolean(), missing: fc.boolean(), codes: fc.integer({ min: 1, max: 6 }) },
      fine: fc.constantFrom(undefined, 100),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((kinds) =>
    kinds.map(({ tree, missing, codes, fine }, at) => ({
      ...{ name: `column ${at}`, tree, missing, ordered: tree },
      size: (tree ? TREE_LEAVES : codes) + Number(missing),
      ...(tree && fine ? { fine } : {}),
    })),
  );

/** The queries of each class over some columns. */
const QUERIES: Record<
  string,
  (attributes: readonly Attribute[]) => (Query | RandomPrefixes | RandomHalfSpaces | Ranges)[]
> = {
  marginal: (attributes) => columnSets(attributes).filter(({ kind }) => kind === "marginal"),
  tree: (attributes) => columnSets(attributes).filter(({ kind }) => kind === "tree"),
  // before they are centred
  interaction: (attributes) =>
    columnSets(attributes).flatMap((query) => (query.kind === "marginal" ? [{ ...query, kind: "interaction" }] : [])),
  total: () => [TOTAL],
  ranges: (attributes) => {
    const side = (column: number, box: number): Side => [box * 2 ** 28, (column + box + 1) * 2 ** 29];
    const columns = [...attributes.keys()];
    const boxes = [0, 1, 2, 3].map((box) => columns.map((column) => side(column, box)));
    const divided = boxes.map((box) => box.map((side, at) => (attributes[at].tree ? side : null)));
    return [boxes, divided].map((boxes) => ({ kind: "ranges", columns, boxes }));
  },
  "random-prefixes": (attributes) => {
    const ordered = attributes.some((attribute) => attribute.ordered);
    const all = attributes.every((attribute) => attribute.ordered);
    const drawing = { count: 5, seed: 1, categories: all ? 0 : 1, thresholds: Number(ordered) };
    const query = { kind: "random-prefixes", columns: [...attributes.keys()], ...drawing };
    const options = { each: false, side: "below", strict: true, distinct: true } as const;
    const divided = { ...query, ...options, categories: 0, each: true };
    const some = [1, 4];
    const asked = [
      { ...query, ...options },
      { ...query, ...options, numbers: some },
    ];
    return all ? asked : [...asked, divided, { ...divided, numbers: some }];
  },
  "random-half-spaces": (attributes) => {
    const set = { kind: "random-half-spaces", columns: [...attributes.keys()], count: 40, seed: 1 };
    const below = { side: "below", strict: false, labels: [], each: false } as const;
    const some = { ...below, side: "above", numbers: [0, 7, 35] } as const;
    const [first, last] = attributes.filter(({ tree }) => !tree).map(({ name }) => name);
    const labels = last === undefined ? [first] : [last];
    const isLabelled = first !== undefined && attributes.length > 1;
    const labelled = [false, true].map((each) => ({ ...set, ...below, labels, each, numbers: [3, 4] }));
    return [{ ...set, ...below }, { ...set, ...some }, ...(isLabelled ? labelled : [])];
  },
  expression: (attributes) => {
    const fields = attributes.map(({ name, missing }, attribute) => ({
      ...({ name, type: "string", role: "model", required: !missing, attribute } as const),
      domain: categories(codesOf(attributes[attribute]) - Number(missing)),
    }));
    const [first, last] = [attributes[0], attributes[attributes.length - 1]].map(({ name }) => `\`${name}\``);
    const expressions = [`${first} == '0'`, `${first} in ('0', '1') or ${last} != '0'`, `${last} is missing`];
    const list = [true, false].map((partition) => ({ expressions, partition }));
    return workloadQueries(list, { fields, attributes });
  },
};

const categories = (count: number): CategoryDomain => {
  const labels = Array.from({ length: Math.max(2, count) }, (_, code) => String(code));
  return { kind: "category", labels, values: labels, spellings: new Map(), other: undefined };
};

function columnSets(attributes: readonly Attribute[]): Query[] {
  const all = [...attributes.keys()];
  return [...all.map((column) => [column]), all].map((columns) => queryOf(columns, attributes));
}

it("is tested for every class", () => {
  expect(CLASSES.map(({ kind }) => kind).sort()).toEqual(Object.keys(QUERIES).sort());
});

describe.each(Object.entries(QUERIES))("one more row changes the answers of a %s", (_, queriesOver) => {
  it("as its structure says", () => {
    let tested = 0;
    fc.assert(
      fc.property(attributes, fc.infiniteStream(fc.nat()), (columns, words) => {
        const draw = (size: number) => Number(words.next().value) % size;
        const rows = Array.from({ length: 8 }, () => columns.map((column) => draw(codesOf(column))));
        for (const query of queriesOver(columns)) {
          expectStructure({ RowAnswers, structureOf, cellsOf }, query, columns, rows);
          tested++;
        }
      }),
      { seed: 1, numRuns: 60 },
    );
    expect(tested).toBeGreaterThan(20);
  });
});
