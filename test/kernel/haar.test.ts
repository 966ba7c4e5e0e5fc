import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { coefficients, haarBasis } from "../reference/haar.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const vectors = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 70 });

/** Places the values `gap` doubles apart, with others in between. */
function placed(values: readonly number[], gap: number) {
  exports.rewind(bottom);
  const all = Float64Array.from({ length: values.length * gap }, (_, at) => (at % gap ? 7 : values[at / gap]));
  const pointer = engine.place(all);
  const read = () => [...engine.f64(pointer, all.length)];
  return {
    pointer,
    stride: 8 * gap,
    values: () => read().filter((_, at) => at % gap === 0),
    between: () => read().filter((_, at) => at % gap !== 0),
  };
}

it("gives the coefficients of the basis, in place, at any stride, and inverts them", () => {
  fc.assert(
    fc.property(vectors, fc.integer({ min: 1, max: 3 }), (values, gap) => {
      const vector = placed(values, gap);
      exports.toHaar(vector.pointer, vector.stride, values.length);
      for (const [at, weight] of coefficients(haarBasis(values.length), values).entries())
        expect(vector.values()[at]).toBeCloseTo(weight, 6);
      exports.fromHaar(vector.pointer, vector.stride, values.length);
      for (const [at, value] of values.entries()) expect(vector.values()[at]).toBeCloseTo(value, 6);
      expect(vector.between().every((value) => value === 7)).toBe(true);
    }),
  );
});

it("the basis of the oracle is orthonormal", () => {
  for (const count of [1, 2, 3, 7, 16, 33]) {
    const basis = haarBasis(count);
    for (const [at, vector] of basis.entries())
      for (const [index, weight] of coefficients(basis, vector).entries())
        expect(weight).toBeCloseTo(+(index === at), 12);
  }
});
