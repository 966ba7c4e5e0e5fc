// Random densities, in an engine and in plain lists, and what was measured of them.
import fc from "fast-check";
import { expect } from "vitest";
import type { Engine } from "./engine.js";
import { placeDensity, placeMeasured } from "./place-density.js";
import { uniforms } from "./reference/statistics.js";
import { allPoints, type Density, givenPoints, type Measured } from "./reference/weights.js";

/** The axes of all tables, over four axes. */
export const TABLES = [[0], [1], [2], [3], [0, 1], [1, 3], [0, 2, 3], [0, 1, 2], [0, 1, 2, 3]];

export interface Case {
  readonly sizes: readonly number[];
  /** The points, or none where these are all combinations. */
  readonly given: readonly (readonly number[])[] | undefined;
}

export const densities: fc.Arbitrary<Case> = fc
  .array(fc.integer({ min: 2, max: 5 }), { minLength: 4, maxLength: 4 })
  .chain((sizes) =>
    fc.record({
      sizes: fc.constant(sizes),
      given: fc.option(fc.array(fc.tuple(...sizes.map((size) => fc.nat(size - 1))), { minLength: 1, maxLength: 40 }), {
        nil: undefined,
      }),
    }),
  );

export const cellsOf = (sizes: readonly number[], axes: readonly number[]) =>
  axes.reduce((cells, axis) => cells * sizes[axis], 1);

/** A table by its number, and a cell of it, whatever the sizes are. */
export const places = fc.record({ table: fc.nat(TABLES.length - 1), mark: fc.nat(10_000) });

/**
 * Things that may have been measured: cells, and whole tables whose targets add up to 1. Targets are drawn, so that no
 * two errors are equal, or differ by a rounding error, unless nothing can be done about them.
 */
export const measurements = fc.array(
  fc.record({ place: places, isWhole: fc.boolean(), seed: fc.nat(1e9), slack: fc.constantFrom(0, 0.01) }),
  { minLength: 1, maxLength: 6 },
);

type Drawn = typeof measurements extends fc.Arbitrary<infer T> ? T : never;

export const measuredOf = ({ sizes }: Case, drawn: Drawn): Measured[] =>
  drawn.map(({ place, isWhole, seed, slack }, number) => {
    const axes = TABLES[place.table];
    const cells = cellsOf(sizes, axes);
    const uniform = uniforms(seed + number);
    if (!isWhole) return { axes, cell: place.mark % cells, targets: [uniform()], slack };
    const targets = Array.from({ length: cells }, () => uniform());
    const sum = targets.reduce((total, target) => total + target, 0);
    return { axes, targets: targets.map((target) => target / sum), slack };
  });

/** The same density in an engine and as a list. */
export function placed(engine: Engine, { sizes, given }: Case, measured: readonly Measured[] = []) {
  const inEngine = placeDensity(engine, sizes, TABLES, given);
  placeMeasured(engine, inEngine, TABLES, measured);
  return { inEngine, plain: given ? givenPoints(sizes, given) : allPoints(sizes) };
}

/** Whether an engine's density has the weights of a list. */
export function expectSame(engine: Engine, { weights, points }: { weights: number; points: number }, plain: Density) {
  const found = [...engine.f64(weights, points)];
  const mass = found.reduce((sum, weight) => sum + weight, 0);
  for (const [at, weight] of found.entries()) expect(weight / mass).toBeCloseTo(plain.weights[at], 9);
}
