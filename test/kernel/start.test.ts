import fc from "fast-check";
import { expect, it } from "vitest";
import { STREAM_SHUFFLE, STREAM_UNIFORM } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { startColumn, uniformColumn } from "../reference/start.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

function fresh(rows: number, fill: (out: number) => void): number[] {
  exports.rewind(bottom);
  const out = engine.alloc(2 * rows);
  fill(out);
  return [...engine.u16(out, rows)];
}

it("gives the rows of each code of another column, or all of them, their codes in the order of the definition", () => {
  const other = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(other, fc.boolean(), u32, u32, (codes, alone, seed, column) => {
      const given = alone ? codes.map(() => 0) : codes;
      const groups = [0, 1, 2, 3, 4].map((code) =>
        given.filter((cell) => cell === code).map((_, at) => 10 * code + at),
      );
      const starts = groups.map((_, code) => groups.slice(0, code).flat().length);
      const drawn = fresh(given.length, (out) =>
        exports.startColumn(
          ...([out, given.length, alone ? 0 : engine.place(Uint32Array.from(given))] as const),
          ...([engine.place(Uint16Array.from(groups.flat())), engine.place(Uint32Array.from(starts))] as const),
          ...([engine.alloc(4 * given.length), seed, column] as const),
        ),
      );
      expect(drawn).toEqual(startColumn(given, groups, seed, STREAM_SHUFFLE, column));
      for (const [code, list] of groups.entries())
        expect(drawn.filter((_, row) => given[row] === code).sort((a, b) => a - b)).toEqual(list);
    }),
    { seed: 1 },
  );
});

it("draws uniform codes from the words of its stream", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 1, max: 65_534 }),
      u32,
      u32,
      (rows, size, seed, column) => {
        const drawn = fresh(rows, (out) => exports.uniformColumn(out, rows, size, seed, column));
        expect(drawn).toEqual(uniformColumn(rows, size, seed, STREAM_UNIFORM, column));
      },
    ),
    { seed: 2 },
  );
});
