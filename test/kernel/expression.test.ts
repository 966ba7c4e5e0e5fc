import fc from "fast-check";
import { expect, it } from "vitest";
import type { Expressions } from "../../src/queries/expression.js";
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

it("takes neighbouring codes without a value for one candidate, whatever the bits of NaN that stand for none", () => {
  const [one, fine] = [1, 7].map((at) => `\`${attributes[at].name}\``);
  expect(attributes[7].fine).toBeGreaterThan(100);
  const query = queryOf([`${fine} * 1e308 * 10 - ${fine} * 1e308 * 10 + ${one} > 0`], false) as Expressions;
  const program = query.program.slice();
  let flipped = 0;
  for (let at = 1; at < program.length; at++)
    if ((program[at] & 0x7ff80000) === 0x7ff80000 && program[at - 1] === 0 && ++flipped % 2) program[at] ^= 0x80000000;
  expect(flipped).toBeGreaterThan(100);
  const codes = attributes.map(() => new Uint16Array(5));
  const looked = [query, { ...query, program }].map((queries) => {
    const { search, exports } = openSearch({
      ...{ attributes, queries: [queries], targets: [Int32Array.of(9)], codes, shift: 8, seed: 1 },
    });
    const state = exports.descentOpen(search, 0, 1);
    runSlices((rows) => exports.descend(state, rows), [1000]);
    return exports.searchCandidates(search);
  });
  expect(looked[1]).toBe(looked[0]);
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
