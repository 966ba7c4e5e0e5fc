import { StandinError } from "../core/errors.js";
import type { Attribute } from "../domain/attribute.js";
import { expectMarginals } from "../queries/cells.js";
import { isInteraction } from "../queries/interaction.js";
import type { Measurement } from "../queries/measurement.js";
import type { NoisyMarginal } from "./fit.js";

/** How a column's codes are the cells of a model: each on its own, or in groups whose codes have fixed proportions. */
export interface Resolution {
  readonly cells: number;
  /** The cell of each code, or null where it is the code. */
  readonly cellOf: readonly number[] | null;
  /** For each cell, how many codes it has. */
  readonly codes: readonly number[];
}

/**
 * The resolutions at which tables of two or more columns were measured. One-ways may be finer.
 * @throws {StandinError} `workload/not-marginals`
 */
export function resolutionsOf(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
): readonly Resolution[] {
  expectMarginals(
    measurements.map(({ query }) => query),
    attributes,
    (query) => query.kind === "marginal" || isInteraction(query),
  );
  return attributes.map(({ size }, column) => {
    const maps = measurements.flatMap(({ query: { columns, groups } }) =>
      columns.length > 1 && columns.includes(column) ? [groups?.[columns.indexOf(column)] ?? null] : [],
    );
    const cellOf = maps[0] ?? null;
    if (maps.some((map) => JSON.stringify(map) !== JSON.stringify(cellOf)))
      throw new StandinError(
        "workload/not-marginals",
        "A column was measured in different groups of codes.",
        "Make the release again, by one of these mechanisms.",
      );
    if (!cellOf) return { cells: size, cellOf, codes: new Array(size).fill(1) };
    const codes: number[] = [];
    for (const cell of cellOf) codes[cell] = (codes[cell] ?? 0) + 1;
    return { cells: codes.length, cellOf, codes };
  });
}

/** Measured marginals as what a tree with these resolutions is fitted to. */
export function noisyMarginals(
  measurements: readonly Measurement[],
  resolutions: readonly Resolution[],
): NoisyMarginal[] {
  return measurements.flatMap(({ query: { columns, groups }, answers, sigma2 }) => {
    if (!columns.length) return [];
    const [column] = columns;
    const { cellOf, codes } = resolutions[column];
    if (columns.length > 1 || !cellOf || groups)
      return {
        columns,
        answers: new Float64Array(answers),
        weights: new Float64Array(answers.length).fill(1 / sigma2),
      };
    return {
      columns,
      answers: summed(answers, resolutions[column]),
      weights: Float64Array.from(codes, (count) => 1 / (count * sigma2)),
    };
  });
}

/** The counts of a column's cells, from those of its codes. */
export function summed(counts: Int32Array | Float64Array, { cells, cellOf }: Resolution): Float64Array {
  if (!cellOf) return new Float64Array(counts);
  const sums = new Float64Array(cells);
  for (const [code, cell] of cellOf.entries()) sums[cell] += counts[code];
  return sums;
}
