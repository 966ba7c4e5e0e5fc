import fc from "fast-check";
import { expect, it } from "vitest";
import { EXAMPLES_AT_ONCE } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { placeExamples } from "../place-examples.js";
import { type Examples, gradient, loss, predictions, sums } from "../reference/logistic.js";

const engine = instance();

interface Problem {
  readonly examples: Examples;
  /** Codes of the target, without missing. */
  readonly size: number;
  readonly codes: readonly number[];
  readonly slots: readonly number[];
  readonly features: number;
  readonly weights: readonly number[];
}

/** Rows with columns of categories and numbers, and pairs of columns, some left out; weights for the classes. */
const problem: fc.Arbitrary<Problem> = fc
  .record({
    size: fc.integer({ min: 1, max: 5 }),
    sizes: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.option(fc.integer({ min: 1, max: 3 }))), {
      maxLength: 4,
    }),
    rows: fc.integer({ min: 1, max: 12 }),
  })
  .chain(({ size, sizes, rows }) => {
    const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: rows, maxLength: rows });
    const column = (codes: number, others: number | null, first: number) =>
      fc.record({
        first: fc.constant(first),
        codes: many(fc.nat(codes - 1)),
        values: fc.option(many(fc.double({ min: 0, max: 1, noNaN: true })), { nil: undefined }),
        other:
          others === null
            ? fc.constant(undefined)
            : fc.record({ codes: many(fc.nat(others - 1)), size: fc.constant(others) }),
      });
    const ends = sizes.map((_, at) =>
      sizes.slice(0, at + 1).reduce((sum, [own, other]) => sum + own * (other ?? 1), 1),
    );
    const features = ends.at(-1) ?? 1;
    return fc
      .record({
        columns: fc.tuple(...sizes.map(([own, other], at) => column(own, other, ends[at - 1] ?? 1))),
        target: many(fc.option(fc.nat(size - 1), { nil: undefined })),
      })
      .chain((examples) => {
        const codes = [...new Set(examples.target.filter((code) => code !== undefined))].sort((a, b) => a - b);
        const count = features * (codes.length === 2 ? 1 : codes.length);
        const weight = fc.double({ min: -3, max: 3, noNaN: true });
        return fc.record({
          examples: fc.constant(examples),
          size: fc.constant(size),
          codes: fc.constant(codes),
          slots: fc.constant(Array.from({ length: size }, (_, code) => Math.max(0, codes.indexOf(code)))),
          features: fc.constant(features),
          weights: fc.array(weight, { minLength: count, maxLength: count }),
        });
      });
  })
  .filter(({ codes }) => codes.length > 0);

function gradientOf({ examples, size, codes, slots, weights }: Problem): number[] {
  return engine.scratch(() => {
    const out = engine.alloc(8 * weights.length + 8);
    engine.exports.logisticGradient(
      placeExamples(engine, examples, size),
      engine.place(Uint16Array.from(slots)),
      size,
      codes.length,
      engine.place(Float64Array.from(weights)),
      out,
      engine.alloc(8 * codes.length * EXAMPLES_AT_ONCE),
    );
    const found = [...engine.readF64(out, weights.length + 1)];
    expect(found.pop()).toBe(0);
    return found;
  });
}

const close = (found: readonly number[], wanted: readonly number[], most: number) =>
  expect(Math.max(0, ...found.map((value, at) => Math.abs(value - wanted[at])))).toBeLessThan(most);

it("the gradient is the sum over rows written out feature by feature", () => {
  fc.assert(
    fc.property(problem, (one) => {
      close(gradientOf(one), gradient(one.examples, one.slots, one.codes.length, one.weights), 1e-12);
    }),
    { seed: 81, numRuns: 500 },
  );
});

it("the gradient is how the loss changes", () => {
  const step = 1e-5;
  fc.assert(
    fc.property(problem, (one) => {
      const { examples, slots, codes, weights } = one;
      const lossAt = (at: number, change: number) =>
        loss(examples, slots, codes.length, weights.with(at, weights[at] + change));
      const slopes = weights.map((_, at) => (lossAt(at, step) - lossAt(at, -step)) / (2 * step));
      close(gradientOf(one), slopes, 1e-7);
    }),
    { seed: 82, numRuns: 100 },
  );
});

it("scores far apart leave one class all of the probability", () => {
  const examples = { columns: [{ first: 1, codes: [0] }], target: [0] };
  const one = { examples, size: 3, codes: [0, 1, 2], slots: [0, 1, 2], features: 2 };
  close(gradientOf({ ...one, weights: [-5000, 0, 5000, 0, 0, 0] }), [-1, 0, 1, -1, 0, 1], 1e-300);
});

it("classes are counted and predicted row by row, the first of equal scores", () => {
  const tied = problem.map((one) => ({ ...one, weights: one.weights.map(Math.round) }));
  fc.assert(
    fc.property(fc.oneof(problem, tied), ({ examples, size, codes, features, weights }) => {
      const actual = examples.target.filter((code) => code !== undefined);
      const predicted = predictions(examples, codes, weights);
      engine.scratch(() => {
        const struct = placeExamples(engine, examples, size);
        const [guesses, hits, counts] = engine.reserve([4 * size, 4 * size, 4 * size]);
        const [squares, scratch] = engine.reserve([8 * features, 8 * codes.length]);
        engine.exports.logisticHits(
          struct,
          size,
          engine.place(Uint16Array.from(codes)),
          codes.length,
          engine.place(Float64Array.from(weights)),
          guesses,
          hits,
          scratch,
        );
        engine.exports.sumExamples(struct, size, counts, squares);
        const times = (list: readonly number[]) =>
          Array.from({ length: size }, (_, code) => list.filter((one) => one === code).length);
        const wanted = sums(examples, size, features);
        expect([...engine.readU32(guesses, size)]).toEqual(times(predicted));
        expect([...engine.readU32(hits, size)]).toEqual(times(actual.filter((code, at) => code === predicted[at])));
        expect([...engine.readU32(counts, size)]).toEqual(wanted.counts);
        close([...engine.readF64(squares, features)], wanted.squares, 1e-12);
      });
    }),
    { seed: 83, numRuns: 500 },
  );
});

it("has the same bits in every engine", () => {
  const examples = {
    columns: [
      { first: 1, codes: [0, 1, 2, 1] },
      { first: 4, codes: [0, 0, 1, 0], values: [0.1, 0.7, 1, 0.3] },
    ],
    target: [0, 1, 2, 0],
  };
  const weights = Array.from({ length: 18 }, (_, at) => ((5 * at) % 7) / 4 - 1);
  const found = gradientOf({ examples, size: 3, codes: [0, 1, 2], slots: [0, 1, 2], features: 6, weights });
  expect(found).toEqual([
    -1.3108515516847175, 0.6356575581638088, 0.6751939935209084, -0.9399166524502199, 0.6962666634584476,
    0.24364998899177223, -0.6252101118249735, -0.3871049410944774, 1.0123150529194507, 0.25427521259047603,
    0.3264958357998386, -0.5807710483903146, -0.1967616105095017, -0.320008392692631, 0.5167700032021325,
    0.25427521259047603, 0.3264958357998386, -0.5807710483903146,
  ]);
});
