import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARGUMENT_REFUSED, MOST_CENTRED, OK } from "../../src/engine/layout.js";
import { cellsIn, queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { centredTable } from "../reference/centred.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function centredBy(sizes: readonly number[], centred: readonly number[], counts: Int32Array): [number, number[]] {
  exports.rewind(bottom);
  const axes = sizes.map((size) => ({ name: "c", size, tree: false, missing: false }));
  const query = writeQuery(engine, queryOf([...sizes.keys()], axes), axes);
  const cells = engine.place(counts);
  const status = exports.centreCounts(query, engine.place(Uint32Array.from(centred)), cells);
  return [status, [...engine.i32(cells, counts.length)]];
}

/** Up to four axes, along some of which counts are centred. */
const tables = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((axes) => ({ sizes: axes.map(([size]) => size), centred: axes.map(([, is]) => is) }))
  .filter(({ sizes, centred }) => cellsIn(sizes.filter((_, axis) => centred[axis])) <= MOST_CENTRED);

it("centres counts along some axes of a table", () => {
  fc.assert(
    fc.property(tables, fc.nat(), ({ sizes, centred }, seed) => {
      const uniform = uniforms(seed);
      const counts = Int32Array.from({ length: cellsIn(sizes) }, () => Math.floor(1000 * uniform()));
      const along = sizes.map((size, axis) => (centred[axis] ? size : 0));
      const expected = centredTable(sizes, centred, counts);
      expect(centredBy(sizes, along, counts)).toEqual([OK, expected.map((value) => value + 0)]);
    }),
  );
});

describe("tables of many rows", () => {
  it("fit if they have ten million", () => {
    const counts = Int32Array.of(1e7, ...Array<number>(MOST_CENTRED - 1).fill(0));
    const [status, [first, ...others]] = centredBy([2, MOST_CENTRED / 2], [2, MOST_CENTRED / 2], counts);
    expect([status, first]).toEqual([OK, 1e7 * (MOST_CENTRED / 2 - 1)]);
    expect(Math.max(first, ...others.map(Math.abs))).toBe(first);
  });

  it("saturate, and do not wrap, where they do not fit", () => {
    const [, values] = centredBy([200], [200], Int32Array.of(2 ** 30, ...Array<number>(199).fill(0)));
    expect(values).toEqual([2 ** 31 - 1, ...Array(199).fill(-(2 ** 30))]);
    const [, full] = centredBy([2, 3], [2, 3], Int32Array.of(2 ** 31 - 1, 0, 0, 0, 0, 0));
    expect(full).toEqual([2 ** 31 - 1, 1 - 2 ** 31, 1 - 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 31 - 1]);
  });
});

it("refuses axes of too many cells, and sizes that are not the axes'", () => {
  const untouched = Int32Array.from({ length: 216 }, (_, at) => at);
  for (const [sizes, centred] of [
    [
      [8, 27],
      [8, 27],
    ],
    [[216], [216]],
    [
      [8, 27],
      [9, 0],
    ],
  ])
    expect(centredBy(sizes, centred, untouched)).toEqual([ARGUMENT_REFUSED, [...untouched]]);
});
