import { StandinError } from "../core/errors.js";
import { finished } from "../core/progress.js";
import type { Table } from "../core/table.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import type { FitOutcome } from "../models/model.js";
import type { EstimateName } from "../models/rows.js";
import { Release } from "../privacy/release.js";
import { noiseRatio } from "../projection/fit.js";
import { decodeRows } from "../schema/decode.js";
import { type MeasureOptions, measure } from "./measure.js";
import { checkRowOptions, expectArgument, onlyKnown, ROW_OPTIONS, type RowOptions } from "./options.js";
import type { Plan } from "./plan.js";

/** How the search for rows went, and how near they came; all of it is about noisy answers. */
export interface Outcome extends FitOutcome {
  /**
   * Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all cells measured: about 1 where the rows fit as the true ones would, more where they
   * are too few or too much was asked of them, less where they fit the noise. Before constraints were enforced.
   */
  readonly noiseRatio: number;
}

/** A release with the rows that were made from it. */
export class SyntheticRelease extends Release {
  constructor(
    release: Release,
    /** The synthetic rows: generated, none copied. */
    readonly table: Table,
    readonly outcome: Outcome,
  ) {
    super(release.schema, release.items, release.facts);
  }
}

/**
 * Makes rows from a release: no data, no budget. With the release's own rows and seed, the bytes are those of the first run.
 * @throws {StandinError} `release/unfinished` where rounds are left to measure; `options/…`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const release = await measure(parseCsv("sex\nF\nM\n", schema), plan(schema, { epsilon: 1 }));
 * const { table } = await resample(release, { rows: 5000, seed: 7 });
 * table.length; // → 5000
 */
export async function resample(release: Release, options: RowOptions = {}): Promise<SyntheticRelease> {
  expectArgument(release instanceof Release, "a release from measure(), synthesize() or parseRelease()");
  onlyKnown(options, ROW_OPTIONS);
  if (release.facts.unfinished)
    throw new StandinError(
      "release/unfinished",
      "This release is unfinished: rounds are left to measure.",
      "Measure them first, with the table (resume; on the command line --resume): what was measured is not charged again.",
    );
  const { rows = release.facts.rows, seed: asked } = checkRowOptions(options);
  const { seed: recorded, ...settings } = release.facts.search;
  const seed = asked ?? Number(recorded);
  const mechanism = mechanismNamed(release.facts.mechanism);
  const { attributes } = release.schema;
  const { measurements, facts } = release;
  const checked = mechanism.options({ estimate: facts.estimate as EstimateName, search: settings });
  const model = mechanism.model({ attributes, options: checked });
  const total = Math.max(1, facts.total);
  const adaptive = release.items.some((item) => "chosen" in item);
  const outcome = await finished(model.fit({ measurements, total, adaptive }, { rows, seed }), options);
  const [{ codes, uniforms }] = await finished(model.tables(1), options);
  const { columns, delimiter } = release.facts;
  const table = decodeRows(release.schema, columns, delimiter, codes, uniforms);
  const made = new Release(release.schema, release.items, {
    ...release.facts,
    rows,
    search: { seed, ...settings },
  });
  return new SyntheticRelease(made, table, {
    ...outcome,
    noiseRatio: noiseRatio(attributes, codes, measurements, total),
  });
}

/**
 * A table in, a stand-in out: measures through the door, then searches rows that answer alike.
 * @throws {StandinError} as `measure` and `resample`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\nF\n", schema);
 * const release = await synthesize(table, plan(schema, { epsilon: 1 }), { rows: 100 });
 * release.table.names; // → ["sex"]
 * [...release.table.rows()].length; // → 100
 */
export async function synthesize(table: Table, plan: Plan, options: MeasureOptions = {}): Promise<SyntheticRelease> {
  const { onProgress, signal } = options;
  return resample(await measure(table, plan, options), { onProgress, signal });
}
