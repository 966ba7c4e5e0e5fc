import fc from "fast-check";
import { expect, it } from "vitest";
import { type Query, cellsOf as sizeOf, queryOf as tableOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { engineAnswers } from "../answers.js";
import { instance } from "../engine.js";
import { cellsOf, codesOf, condition, namesIn, SCHEMA, textOf } from "../random-expressions.js";
import { integers } from "../random-tables.js";
import { descent } from "../reference/descent.js";
import { expressionAnswers, holds } from "../reference/expression.js";
import { changed, lossOf, type Problem } from "../reference/residuals.js";
import { codesIn } from "../reference/tree.js";
import { openSearch, runSlices } from "../search.js";

const { attributes } = SCHEMA;
const over = condition.filter((drawn) => namesIn(drawn).length > 0);
const several = fc.array(over, { minLength: 1, maxLength: 4 });
const queryOf = (texts: readonly string[], partition: boolean): Query =>
  workloadQueries([{ expressions: texts, partition }], SCHEMA)[0];

it("counts the rows for which each expression is true, by its definition and by its program", () => {
  fc.assert(
    fc.property(several, codesOf(150), fc.boolean(), (drawn, codes, partition) => {
      const query = queryOf(drawn.map(textOf), partition);
      const rows = Array.from(codes[0], (_, row) => cellsOf(codes.map((column) => column[row])));
      const expected = new Array<number>(drawn.length + Number(partition)).fill(0);
      for (const row of rows) {
        const truths = drawn.map((one) => holds(one, row));
        const first = truths.indexOf(true);
        if (partition) expected[first < 0 ? drawn.length : first]++;
        else for (const [at, truth] of truths.entries()) expected[at] += Number(truth);
      }
      expect([...engineAnswers(query, attributes, codes, [1, 100])]).toEqual(expected);
      expect(expressionAnswers(query, codes)).toEqual(expected);
    }),
    { seed: 1, numRuns: 400 },
  );
});

/** Searches on expressions, and on a marginal of two of the columns. */
const problems: fc.Arbitrary<Problem> = fc
  .tuple(several, fc.boolean(), codesOf(4), fc.nat())
  .map(([drawn, partition, codes, seed]) => {
    const queries = [queryOf(drawn.map(textOf), partition), tableOf([2, 7], attributes)];
    const targets = queries.map((query, at) => integers(sizeOf(query, attributes), 2 ** 10, seed + at));
    return { attributes, queries, targets, codes, shift: 8, seed };
  });

it("scores and makes changes of a row by the loss that they make", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const [{ columns }] = problem.queries;
      const { search, exports, loss, codes } = openSearch(problem);
      const expectScores = (present: Uint16Array[]) => {
        const before = lossOf(problem, present);
        expect(loss()).toBe(before);
        for (const column of columns)
          for (let value = problem.seed % 3; value < codesIn(attributes[column]); value += 3)
            expect(exports.searchDelta(search, 3, column, value)).toBe(
              lossOf(problem, changed(present, 3, column, value)) - before,
            );
      };
      expectScores(codes());
      for (const column of columns)
        exports.searchMove(search, problem.seed % 4, column, problem.seed % codesIn(attributes[column]));
      expectScores(codes());
    }),
    { seed: 2, numRuns: 60 },
  );
});

it("scores all codes of a column at once as one by one", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const { search, exports, loss, codes } = openSearch(problem);
      const state = exports.descentOpen(search, 0, 2);
      runSlices((rows) => exports.descend(state, rows), [1000]);
      const { codes: expected, loss: least } = descent(problem, 0, 2);
      expect(loss()).toBe(least);
      expect(codes()).toEqual(expected);
    }),
    { seed: 3, numRuns: 60 },
  );
});

it("leaves nothing of the rows in the memory that it works in", () => {
  const engine = instance();
  const { exports } = engine;
  const bottom = exports.mark();
  const query = queryOf(["age * `hours worked` > 3 and kind == 'x'", "age < 100"], true);
  const columns = attributes.map(() => engine.place(new Uint16Array(128).fill(1)));
  const block = engine.place(Uint32Array.of(engine.place(Uint32Array.from(columns)), 128));
  const before = engine.u8(0, bottom).slice();
  exports.answerBlocks(writeQuery(engine, query, attributes), block, 1, engine.alloc(12));
  const after = engine.u8(0, bottom);
  const differs = before.reduce((count, byte, at) => count + Number(byte !== after[at]), 0);
  // Where the codes of the columns are, which says nothing about them, and the arena's own marks.
  expect(differs).toBeLessThan(100);
});
