import fc from "fast-check";
import { expect, it } from "vitest";
import { Contractions, cellsOver } from "../../src/graphical/contraction.js";
import { instance } from "../engine.js";
import { contracted } from "../reference/contraction.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const bottom = engine.exports.mark();

const cases = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }).chain((sizes) => {
  const axes = fc.shuffledSubarray([...sizes.keys()]);
  return fc.record({
    sizes: fc.constant(sizes),
    factors: fc.array(axes, { minLength: 1, maxLength: 4 }),
    sums: fc.array(axes, { maxLength: 3 }),
    keeps: fc.boolean(),
    seed: fc.nat(1000),
  });
});

it("keeps the products of tables of any axes, in any order, and adds them up", () => {
  fc.assert(
    fc.property(cases, ({ sizes, factors, sums, keeps, seed }) => {
      engine.exports.rewind(bottom);
      const uniform = uniforms(seed);
      const given = factors.map((axes) => ({
        axes,
        values: Array.from({ length: cellsOver(axes, sizes) }, () => uniform()),
      }));
      const plan = new Contractions(engine, sizes);
      const placed = given.map(({ axes, values }) => ({
        pointer: engine.place(Float64Array.from(values)),
        columns: axes,
      }));
      const columns = [...sizes.keys()];
      const [kept, ...out] = [columns, ...sums].map((axes) => plan.table(axes));
      for (const { pointer } of out) engine.write(pointer, Float64Array.of(7)); // sums start at 0
      plan.add({ columns, factors: placed, sums: out, table: keeps ? kept.pointer : 0 });
      plan.run();
      const expected = contracted(sizes, given, sums);
      const read = ({ pointer, columns }: { pointer: number; columns: readonly number[] }) =>
        Array.from(engine.readF64(pointer, cellsOver(columns, sizes)));
      const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 9));
      expect(read(kept)).toEqual(keeps ? near(expected.products) : expected.products.map(() => 0));
      for (const [at, sum] of expected.sums.entries()) expect(read(out[at])).toEqual(near(sum));
    }),
    { seed: 1, numRuns: 500 },
  );
});

it("keeps no product below a smallest number, so that each can grow again", () => {
  engine.exports.rewind(bottom);
  const plan = new Contractions(engine, [3]);
  const table = { pointer: engine.place(Float64Array.of(0, 1e-200, 2)), columns: [0] };
  plan.add({ columns: [0], factors: [table, table], sums: [], table: table.pointer });
  plan.run();
  expect(Array.from(engine.readF64(table.pointer, 3))).toEqual([1e-250, 1e-250, 4]);
});
