// The density that the benches of its kernels work on: seven columns of Adult, with all tables of three.
import type { Engine } from "../../test/engine.js";
import { placeDensity, placeMeasured } from "../../test/place-density.js";
import type { Measured } from "../../test/reference/weights.js";

export const SIZES = [16, 15, 10, 7, 5, 2, 2];
/** Its oracles have fewer codes: they look at every point for every answer. */
export const SMALL = [3, 3, 2, 2, 2, 2, 2];
export const TRIPLES = SIZES.flatMap((_, a) =>
  SIZES.slice(a + 1).flatMap((__, b) => SIZES.slice(a + b + 2).map((___, c) => [a, a + b + 1, a + b + c + 2])),
);

/** A cell of every table, with what was measured of it. */
export const measuredIn = (sizes: readonly number[]): Measured[] =>
  TRIPLES.map((axes, at) => ({
    axes,
    cell: (37 * at) % axes.reduce((product, axis) => product * sizes[axis], 1),
    targets: [0.002 * (1 + (at % 7))],
    slack: 0,
  }));

export function placeTriples(engine: Engine) {
  const placed = placeDensity(engine, SIZES, TRIPLES);
  placeMeasured(engine, placed, TRIPLES, measuredIn(SIZES));
  return placed;
}
