// What sensitivities rest on: one more row changes the answers of a query as its structure says.
import { expect } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import type { Query } from "../../src/queries/query.js";
import type { Structure } from "../../src/queries/query-class.js";
import type { RowAnswers } from "../../src/queries/row-answers.js";

/** What the check takes from the package, or from a package with a class more. */
export interface Answering {
  readonly RowAnswers: typeof RowAnswers;
  structureOf(query: Query, attributes: readonly Attribute[]): Structure;
  cellsOf(query: Query, attributes: readonly Attribute[]): number;
}

/**
 * Adds each row to those before it, and compares the engine's answers: one cell of each partition grows by one (none,
 * if the partition is not whole), every free predicate by one or not at all, and there are no other answers.
 */
export function expectStructure(
  { RowAnswers, structureOf, cellsOf }: Answering,
  query: Query,
  attributes: readonly Attribute[],
  rows: readonly (readonly number[])[],
): void {
  const { partitions, free } = structureOf(query, attributes);
  const sizes = partitions.map(({ shape }) => shape.reduce((cells, size) => cells * size, 1));
  const cells = sizes.reduce((sum, size) => sum + size, free);
  expect(cellsOf(query, attributes)).toBe(cells);
  const answersOf = (count: number) => {
    const codes = attributes.map((_, at) => Uint16Array.from(rows.slice(0, count), (row) => row[at]));
    return RowAnswers.ofCodes(attributes, codes).of(query);
  };
  let before = answersOf(0);
  for (let count = 1; count <= rows.length; count++) {
    const after = answersOf(count);
    expect(after).toHaveLength(cells);
    const change = Array.from(after, (answer, cell) => answer - before[cell]);
    for (const step of change) expect([0, 1]).toContain(step);
    let place = 0;
    for (const [number, { isWhole }] of partitions.entries()) {
      const grown = change.slice(place, place + sizes[number]).reduce((sum, step) => sum + step, 0);
      expect(grown).toBeLessThanOrEqual(1);
      if (isWhole) expect(grown).toBe(1);
      place += sizes[number];
    }
    before = after;
  }
}
