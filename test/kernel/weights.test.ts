import fc from "fast-check";
import { expect, it } from "vitest";
import * as layout from "../../src/engine/layout.js";
import { cellsOf, densities, expectSame, placed, places, TABLES } from "../densities.js";
import { instance } from "../engine.js";
import { answers, scaled } from "../reference/weights.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const factor = fc.oneof(fc.double({ min: 0.01, max: 100, noNaN: true }), fc.constantFrom(1e-30, 1e30));
const updates = fc.array(
  fc.record({ place: places, factor, isWhole: fc.boolean(), asks: fc.boolean(), isMeasured: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);
/** Counts of so many rows show errors of 10⁻⁹. */
const TOTAL = 2 ** 30;

/** How many cells all tables have. */
const cellsIn = (sizes: readonly number[]) => TABLES.reduce((sum, axes) => sum + cellsOf(sizes, axes), 0);

function asked(inEngine: ReturnType<typeof placed>["inEngine"], cells: number): Int32Array {
  const out = engine.alloc(4 * cells);
  const tables = engine.place(Uint32Array.from(inEngine.tables));
  exports.densityAnswers(inEngine.density, tables, inEngine.tables.length, TOTAL, out);
  return engine.i32(out, cells);
}

it("answers as its weights say, whichever cells and tables they were scaled by", () => {
  fc.assert(
    fc.property(densities, updates, (drawn, list) => {
      exports.rewind(bottom);
      const { inEngine, plain } = placed(engine, drawn);
      const cells = cellsIn(drawn.sizes);
      for (const { place, factor, isWhole, asks, isMeasured } of list) {
        const axes = TABLES[place.table];
        const table = inEngine.tables[place.table];
        const own = cellsOf(drawn.sizes, axes);
        const chosen = place.mark % own;
        // Weights that are all but gone would be compared with rounding errors.
        if (answers(plain, axes)[chosen] < 1e-6) continue;
        if (isMeasured) engine.u32(table + layout.TABLE_IS_MEASURED, 1)[0] = 1;
        const factors = Float64Array.from({ length: own }, (_, cell) => (cell === chosen ? factor : 1 + (cell % 3)));
        if (isWhole) {
          exports.scaleTable(inEngine.density, table, engine.place(factors));
          scaled(plain, axes, (cell) => factors[cell]);
        } else if (factor < 1e9) {
          exports.scaleCell(inEngine.density, table, chosen, factor);
          scaled(plain, axes, (cell) => (cell === chosen ? factor : 1));
        }
        if (asks) asked(inEngine, cells);
      }
      expectSame(engine, inEngine, plain);
      const expected = TABLES.flatMap((axes) => answers(plain, axes));
      for (const [at, count] of asked(inEngine, cells).entries())
        expect(Math.abs(count - expected[at] * TOTAL)).toBeLessThan(2);
    }),
    { seed: 1 },
  );
});

it("adds up weights anew before rounding errors or the range of doubles show", () => {
  exports.rewind(bottom);
  const drawn = { sizes: [3, 4, 2, 5], given: undefined };
  const { inEngine, plain } = placed(engine, drawn);
  for (let turn = 0; turn < 2500; turn++) {
    const [cell, by] = [(7 * turn) % 12, turn % 2 ? 40 : 0.5];
    exports.scaleCell(inEngine.density, inEngine.tables[4], cell, by);
    scaled(plain, TABLES[4], (at) => (at === cell ? by : 1));
  }
  expectSame(engine, inEngine, plain);
});

it("begins anew with equal weights", () => {
  exports.rewind(bottom);
  const sizes = [2, 2, 2, 2];
  const { inEngine } = placed(engine, { sizes, given: undefined });
  exports.scaleCell(inEngine.density, inEngine.tables[0], 0, 9);
  exports.densityOpen(inEngine.density);
  expect([...engine.f64(inEngine.weights, 16)]).toEqual(new Array(16).fill(1));
  expect([...asked(inEngine, cellsIn(sizes)).subarray(0, 2)]).toEqual([TOTAL / 2, TOTAL / 2]);
});
