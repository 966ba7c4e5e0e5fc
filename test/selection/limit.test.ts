// Which sets rounds may choose: those with which a junction tree stays within its room.
import fc from "fast-check";
import { expect, it } from "vitest";
import { junctionTreeCells } from "../../src/graphical/triangulation.js";
import { queryOf } from "../../src/queries/query.js";
import { treeWithin } from "../../src/selection/limit.js";

const COLUMNS = 8;
const set = fc.uniqueArray(fc.nat(COLUMNS - 1), { minLength: 1, maxLength: 4 }).map((columns) => columns.sort());

it("a limit leaves the candidates whose tree has room, or those with the smallest tree", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 2, max: 9 }), { minLength: COLUMNS, maxLength: COLUMNS }),
      fc.array(set, { minLength: 1, maxLength: 6 }),
      fc.array(set, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 4, max: 5000 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      (sizes, measured, candidates, most, spent) => {
        const attributes = sizes.map((size) => ({
          ...{ name: "column", size, tree: false, missing: false, ordered: false },
        }));
        const [asked, open] = [measured, candidates].map((sets) => sets.map((one) => queryOf(one, attributes)));
        const cells = candidates.map((columns) => junctionTreeCells([...measured, columns], sizes));
        const least = Math.min(...cells);
        const room = Math.min(most, Math.max(most * spent, least));
        const within = treeWithin(most, attributes)(open, asked, spent);
        expect(within).toEqual(open.filter((_, at) => cells[at] <= room));
      },
    ),
    { numRuns: 300 },
  );
});
