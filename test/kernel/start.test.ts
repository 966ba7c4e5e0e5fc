import fc from "fast-check";
import { expect, it } from "vitest";
import { STREAM_SHUFFLE, STREAM_UNIFORM } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { drawColumn, uniformColumn } from "../reference/start.js";

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

it("draws each code as often as asked for, in the order of the definition", () => {
  const quotas = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(quotas, u32, u32, (counts, seed, column) => {
      const rows = counts.reduce((sum, count) => sum + count, 0);
      const drawn = fresh(rows, (out) =>
        exports.drawColumn(out, engine.place(Uint32Array.from(counts)), counts.length, seed, column),
      );
      expect(drawn).toEqual(drawColumn(counts, seed, STREAM_SHUFFLE, column));
      for (const [code, count] of counts.entries()) expect(drawn.filter((cell) => cell === code)).toHaveLength(count);
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
