import { expect, it } from "vitest";
import { cellsOf, type Query, shapesOf } from "../../src/queries/query.js";

const attributes = [4, 3, 2].map((size, at) => ({ name: `c${at}`, size, tree: false, missing: false }));
const query: Query = { kind: "marginal", columns: [0, 1, 2], groups: [[0, 1, 1, 0], null, [0, 0]] };

it("a grouped marginal has a cell for each combination of groups, or of codes on axes without groups", () => {
  expect(shapesOf(query, attributes)).toEqual([[2, 3, 1]]);
  expect(cellsOf(query, attributes)).toBe(6);
});
