import fc from "fast-check";
import { expect, it } from "vitest";
import {
  BATCH_CHANGED,
  BATCH_CHANGED_CODES,
  BATCH_CHANGED_ROWS,
  BATCH_MOVES,
  BATCH_ROWS,
  SEARCH_RUNNING,
  SEARCH_SETTLED,
  WHOLE_SWEEPS,
} from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { placeSearch } from "../place-search.js";
import { batches } from "../reference/batches.js";
import type { Problem } from "../reference/residuals.js";
import { openSearch, problems, runSlices } from "../search.js";

const sizes = fc.constantFrom(1, 2, 3, 100);

function inBatches(problem: Problem, tolerance: number, maxSweeps: number, size: number, slices: number[]) {
  const { search, exports, loss, codes } = openSearch(problem);
  const state = exports.batchesOpen(search, tolerance, maxSweeps, size);
  const status = runSlices((rows) => exports.descendInBatches(state, rows), slices);
  return { codes: codes(), loss: loss(), steps: exports.searchSteps(search), settled: status === SEARCH_SETTLED };
}

it("makes the moves of the definition", () => {
  fc.assert(
    fc.property(problems, fc.constantFrom(0, 0.01, 0.3), sizes, (problem, tolerance, size) => {
      expect(inBatches(problem, tolerance, 5, size, [1000])).toEqual(batches(problem, tolerance, 5, size));
    }),
    { seed: 1, numRuns: 30 },
  );
});

it("does the same in slices of any size", () => {
  const slices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(problems, sizes, slices, (problem, size, budgets) => {
      expect(inBatches(problem, 0, 5, size, budgets)).toEqual(inBatches(problem, 0, 5, size, [1000]));
    }),
    { seed: 2, numRuns: 60 },
  );
});

it("shows a host its batches, and what they changed", () => {
  fc.assert(
    fc.property(problems, sizes, (problem, size) => {
      const engine = instance();
      const { exports } = engine;
      const { search, columns } = placeSearch(engine, problem);
      const state = exports.batchesOpen(search, 0, 5, size);
      const rows = problem.codes[0].length;
      const field = (offset: number) => engine.u32(state + offset, 1)[0];
      const shown = problem.codes.map((column) => column.slice());
      const present = () => {
        exports.searchEnd(search);
        return columns.map((pointer) => engine.u16(pointer, rows).slice());
      };
      expect(exports.batchDraw(state)).toBe(0);
      let status = SEARCH_RUNNING;
      while (status === SEARCH_RUNNING && exports.searchSteps(search) < WHOLE_SWEEPS)
        status = exports.descendInBatches(state, rows);
      for (const [at, column] of present().entries()) shown[at].set(column);
      while (status === SEARCH_RUNNING) {
        const count = exports.batchDraw(state);
        expect(count).toBeLessThanOrEqual(size);
        exports.findMoves(search, field(BATCH_ROWS), count, field(BATCH_MOVES));
        status = exports.batchMake(state);
        const changed = engine.u32(field(BATCH_CHANGED_ROWS), field(BATCH_CHANGED));
        const codes = engine.u16(field(BATCH_CHANGED_CODES), changed.length * shown.length);
        for (const [at, row] of changed.entries())
          for (const [column, cells] of shown.entries()) cells[row] = codes[at * shown.length + column];
        // Finer codes than cells are nothing that a host with tables needs.
        if (problem.attributes.every(({ fine }) => fine === undefined)) expect(present()).toEqual(shown);
      }
      expect({ codes: present(), loss: exports.searchLoss(search) }).toEqual(
        (({ codes, loss }) => ({ codes, loss }))(inBatches(problem, 0, 5, size, [3])),
      );
    }),
    { seed: 3, numRuns: 60 },
  );
});
