import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import type { SearchOutcome } from "../mechanisms/mechanism.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import { Release } from "../privacy/release.js";
import { decodeRows } from "../schema/decode.js";
import { type MeasureOptions, measure } from "./measure.js";
import { checkRowOptions, expectArgument, onlyKnown, ROW_OPTIONS, type RowOptions } from "./options.js";
import type { Plan } from "./plan.js";

/** A release with the rows that were made from it. */
export class SyntheticRelease extends Release {
  constructor(
    release: Release,
    /** The synthetic rows: generated, none copied. */
    readonly table: Table,
    /** How the search for them went. */
    readonly outcome: SearchOutcome,
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
  const found = await mechanism.project({
    attributes: release.schema.attributes,
    measurements: release.measurements,
    total: release.facts.total,
    chosen: release.items.some((item) => "chosen" in item),
    rows,
    seed,
    settings: mechanism.settings(settings),
    onProgress: options.onProgress,
    signal: options.signal,
  });
  const { columns, delimiter } = release.facts;
  const table = decodeRows(release.schema, columns, delimiter, found.codes, found.uniforms);
  const made = new Release(release.schema, release.items, {
    ...release.facts,
    rows,
    search: { seed, ...settings },
  });
  const { startLoss, loss, steps, candidates, stop } = found;
  return new SyntheticRelease(made, table, { startLoss, loss, steps, candidates, stop });
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
