import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, codesOf } from "../../src/domain/attribute.js";
import { inWords } from "../../src/gpu/neighbourhoods.js";
import { queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { placeSearch, tablesIn } from "../place-search.js";
import { integers } from "../random-tables.js";
import { changed, lossOf, type Problem, usedColumns } from "../reference/residuals.js";
import { openSearch, problems, problemsOn, tableProblems } from "../search.js";

/** Compares the score of every one-cell change with the difference in loss that it makes. */
function expectAllScores(problem: Problem, { search, exports }: ReturnType<typeof openSearch>, codes: Uint16Array[]) {
  const loss = lossOf(problem, codes);
  for (const column of usedColumns(problem.queries))
    for (let row = 0; row < codes[0].length; row++)
      for (let value = 0; value < codesOf(problem.attributes[column]); value++)
        if (
          exports.searchDelta(search, row, column, value) !==
          lossOf(problem, changed(codes, row, column, value)) - loss
        )
          expect.fail(`row ${row}, column ${column}, code ${value}`);
}

type Opened = Pick<ReturnType<typeof openSearch>, "search" | "exports">;

/** Makes random one-cell changes in the engine. */
function wander(problem: Problem, { search, exports }: Opened, moves: number) {
  const used = usedColumns(problem.queries);
  const random = integers(3 * moves, 2 ** 30, problem.seed).map(Math.abs);
  for (let move = 0; move < 3 * moves; move += 3) {
    const column = used[random[move] % used.length];
    const value = random[move + 1] % codesOf(problem.attributes[column]);
    exports.searchMove(search, random[move + 2] % problem.codes[0].length, column, value);
  }
}

it("begins with the loss of its start", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      expect(openSearch(problem).loss()).toBe(lossOf(problem, problem.codes));
    }),
    { seed: 1, numRuns: 100 },
  );
});

it("scores every one-cell change by the loss that it makes, before and after changes", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const engine = openSearch(problem);
      expectAllScores(problem, engine, engine.codes());
      wander(problem, engine, 20);
      expectAllScores(problem, engine, engine.codes());
      expect(engine.loss()).toBe(lossOf(problem, engine.codes()));
    }),
    { seed: 2, numRuns: 60 },
  );
});

const column = (size: number): Attribute => ({ name: "column", size, tree: false, missing: false });
const tree = (missing: boolean): Attribute => ({ name: "column", size: 32 + +missing, tree: true, missing });

it.each([
  ["categories", [column(5), column(2), column(9), column(1)]],
  ["trees", [tree(true), column(3), tree(false), column(4)]],
  ["fine codes", [{ ...tree(true), fine: 100 }, column(3), { ...tree(false), fine: 64 }, column(4)]],
])("keeps all copies of the tables consistent over thousands of changes: %s", (_, attributes) => {
  const [problem] = fc.sample(problemsOn(attributes), { seed: 3, numRuns: 1 });
  const engine = openSearch(problem);
  wander(problem, engine, 5000);
  const codes = engine.codes();
  expect(engine.loss()).toBe(lossOf(problem, codes));
  expectAllScores(problem, engine, codes);
});

it("scores residuals as large as its units allow", () => {
  const attributes = [column(3), column(2)];
  const query = { kind: "marginal", columns: [0, 1] } as const;
  const most = 3 * 2 ** 28;
  const problem: Problem = {
    attributes,
    queries: [query],
    targets: [Int32Array.of(-most, most, most, -most, most, -most)],
    codes: [Uint16Array.of(0, 0, 0), Uint16Array.of(0, 0, 0)],
    shift: 28,
    seed: 0,
  };
  expectAllScores(problem, openSearch(problem), [...problem.codes]);
});

it("opens nothing if the tables do not fit", () => {
  const attributes = [column(1500), column(1500), column(600)];
  const engine = instance();
  const query = writeQuery(engine, queryOf([0, 1, 2], attributes), attributes);
  const before = engine.exports.mark();
  expect(engine.exports.searchOpen(engine.place(Uint32Array.of(query)), 1, 3, 10, 8, 0)).toBe(0);
  expect(engine.exports.mark() - before).toBeLessThan(64);
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("has the same tables after rows have changed", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    for (const problem of fc.sample(tableProblems, { seed: 4, numRuns: 60 })) {
      const engine = instance();
      const { search } = placeSearch(engine, problem);
      const before = tablesIn(engine, search);
      wander(problem, { search, exports: engine.exports }, 9);
      const { residuals, codes } = tablesIn(engine, search);
      const rows = Uint32Array.from(problem.codes[0].keys()).reverse();
      const width = problem.attributes.length;
      const changed = [...rows].flatMap((row) => [...codes.subarray(row * width, (row + 1) * width)]);
      const [tables, words] = await gpu.movedRows(
        ...([before.map, before.residuals, before.codes, rows, Uint16Array.from(changed)] as const),
      );
      expect(words).toEqual(inWords(codes, width));
      expect(tables).toEqual(residuals);
    }
  });
});
