import type { Engines } from "../core/engines.js";
import type { Attribute } from "../domain/attribute.js";
import { scaleOf } from "../queries/interaction.js";
import type { Measurement } from "../queries/measurement.js";
import { type Query, structureOf } from "../queries/query.js";
import { RowAnswers } from "../queries/row-answers.js";

/**
 * How far rows are from the noisy answers, in units of the distance expected from noise alone: Σ (answer of the rows −
 * noisy answer)² ÷ Σ σ² over all measured cells. For the true rows, this is about 1, by the distribution of the noise
 * alone. It is larger for rows that cannot answer everything at once, and smaller for rows that also fit the noise; NaN
 * where nothing but totals was measured, which all rows answer. This is post-processing of noisy answers.
 * @param codes synthetic rows: one array per attribute, equally long, with at least one row
 * @param total the number of rows that the answers count: the rows' own answers are scaled to it
 * @param engines what may count them; without it, the engine does
 */
export async function noiseRatio(
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
  measurements: readonly Measurement[],
  total: number,
  engines?: Engines,
): Promise<number> {
  if (measurements.every(({ query }) => !query.columns.length)) return Number.NaN;
  const rows = RowAnswers.ofCodes(attributes, codes, engines);
  const squares = await rows.squares(measurements, total / rows.rows);
  const unitOf = (query: Query) => scaleOf(structureOf(query, attributes));
  const variance = measurements.reduce(
    (sum, { query, sigma2, answers }) => sum + (sigma2 * answers.length) / unitOf(query) ** 2,
    0,
  );
  rows.drop();
  return squares / variance;
}
