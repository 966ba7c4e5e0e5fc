import type { Attribute } from "../domain/attribute.js";
import { groupOfCells } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { RowAnswers } from "../queries/row-answers.js";

/**
 * How far rows are from the noisy answers, in units of the distance expected from noise alone: Σ (answer of the rows −
 * noisy answer)² ÷ Σ σ² over all measured cells. For the true rows, this is about 1, by the distribution of the noise
 * alone. It is larger for rows that cannot answer everything at once, and smaller for rows that also fit the noise.
 * This is post-processing of noisy answers.
 * @param codes one array per attribute, equally long, with at least one row
 * @param total the number of rows that the answers count: the rows' own answers are scaled to it
 */
export function noiseRatio(
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
  measurements: readonly Measurement[],
  total: number,
): number {
  const rows = new RowAnswers(attributes, codes, codes[0].length);
  const scale = total / rows.rows;
  let squares = 0;
  let variance = 0;
  for (const measurement of measurements) {
    const { answers, sigma2 } = measurement;
    const counts = countsOf(rows, measurement);
    for (let cell = 0; cell < answers.length; cell++) squares += (scale * counts[cell] - answers[cell]) ** 2;
    variance += sigma2 * answers.length;
  }
  return squares / variance;
}

/** The rows' own counts for a measurement, by groups of codes if it was measured by groups. */
function countsOf(rows: RowAnswers, { query, answers }: Measurement): Int32Array {
  if (!query.groups) return rows.of(query);
  const counts = rows.of({ ...query, groups: undefined });
  const grouped = new Int32Array(answers.length);
  const groups = groupOfCells(query, rows.attributes);
  for (let cell = 0; cell < groups.length; cell++) grouped[groups[cell]] += counts[cell];
  return grouped;
}
