import { expectArgument } from "../core/arguments.js";
import type { EngineUse } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import { forUsers } from "../core/option-text.js";
import { finished } from "../core/progress.js";
import type { Table } from "../core/table.js";
import type { CheckedOptions, Mechanism } from "../mechanisms/mechanism.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import type { FitOptions, FitResult, Model, Observations, PublicTable, SyntheticRows } from "../models/model.js";
import { noiseRatio } from "../projection/fit.js";
import { decodeRows } from "../schema/decode.js";
import { choicesIn } from "./choices.js";
import { type MeasureOptions, measure } from "./measure.js";
import { checkRowOptions, onlyKnown, openEngines, ROW_OPTIONS, type RowOptions, withEngines } from "./options.js";
import type { Plan } from "./plan.js";
import { checkSamePublicTable, type PublicTableOption, publicTableOf } from "./public-table.js";
import { Release } from "./release.js";

/** How the search for rows went, and how well the rows fit. All of it is about noisy answers. */
export interface SearchOutcome extends FitResult {
  /**
   * Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all measured cells. It is about 1 where the rows fit as well as
   * the true ones would, more where there are too few rows or they have too much to match, and less where they fit the
   * noise; NaN where nothing but a number of rows was measured. Computed before constraints were enforced.
   */
  readonly noiseRatio: number;
  /** Which engine did the heavy work, and why. */
  readonly engines: readonly EngineUse[];
}

/** Options for making rows from a release. */
export interface ResampleOptions extends RowOptions, PublicTableOption {}

/** A release, together with the rows that were made from it. */
export class SyntheticRelease extends Release {
  constructor(
    release: Release,
    /**
     * The synthetic tables: one, unless the mechanism makes several. Their rows are generated; none is copied from the
     * private table.
     */
    readonly tables: readonly Table[],
    readonly outcome: SearchOutcome,
  ) {
    super(release.schema, release.items, release.facts);
  }

  /** The first synthetic table. */
  get table(): Table {
    return this.tables[0];
  }
}

/**
 * Makes rows from a release, without data and without budget. With the release's own number of rows and seed, the
 * output is identical to that of the first run, byte for byte.
 * @throws {StandinError} `release/unfinished` where rounds are left to measure; `public/…`, `options/…`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const release = await measure(parseCsv("sex\nF\nM\n", schema), plan(schema, { epsilon: 1 }));
 * const { table } = await resample(release, { rows: 5000, seed: 7 });
 * table.length; // → 5000
 */
export async function resample(release: Release, options: ResampleOptions = {}): Promise<SyntheticRelease> {
  expectArgument(release instanceof Release, "a release from measure(), synthesize() or parseRelease()");
  onlyKnown(options, [...ROW_OPTIONS, "publicTable"]);
  const publicTable = publicTableOf(options.publicTable, release.schema);
  checkSamePublicTable(release.facts.publicTable, publicTable);
  return rowsOf(release, publicTable, options);
}

async function rowsOf(
  release: Release,
  publicTable: PublicTable | undefined,
  options: RowOptions,
): Promise<SyntheticRelease> {
  if (release.facts.unfinished)
    throw new StandinError(
      "release/unfinished",
      "This release is unfinished: some of its rounds are not yet measured.",
      `Measure them first, with the same table (${forUsers("resume", "--resume")}): what was measured is not charged again.`,
    );
  const { rows = release.facts.rows, seed: asked } = checkRowOptions(options);
  const seed = asked ?? Number(release.facts.search.seed);
  const engines = await openEngines(options);
  const { attributes } = release.schema;
  const { measurements, facts } = release;
  const { mechanism, options: checked } = mechanismOf(release);
  const model = mechanism.model({ attributes, publicTable, engines, options: checked });
  const total = Math.max(1, facts.total);
  const leftOut = release.items.some((item) => "chosen" in item);
  const adaptive = facts.stages === undefined && leftOut;
  const observed = { measurements, total, adaptive, leftOut, ...choicesIn(release.items, facts, release.schema) };
  const [fitted, made] = await fittedRows(model, observed, { rows, seed }, mechanism.tables(checked), options);
  const tables = made.map((table) =>
    decodeRows(release.schema, facts.columns, facts.delimiter, table.codes, table.seed),
  );
  const searched = new Release(release.schema, release.items, { ...facts, rows, search: { ...facts.search, seed } });
  const ratio = await noiseRatio(attributes, made[0].codes, measurements, total, engines);
  return new SyntheticRelease(searched, tables, { ...fitted, noiseRatio: ratio, engines: engines.uses });
}

/** Fits a model, makes its tables, and gives back what it took, a GPU's memory too. */
async function fittedRows(
  model: Model,
  observed: Observations,
  fit: FitOptions,
  tables: number,
  options: RowOptions,
): Promise<[FitResult, readonly SyntheticRows[]]> {
  try {
    const fitted = await finished(model.fit(observed, fit), options);
    return [fitted, await finished(model.tables(tables), options)];
  } finally {
    model.close();
  }
}

/** The number of synthetic tables that a release is for. @throws {StandinError} `mechanism/…`, `options/…` */
export function tablesOf(release: Release): number {
  const { mechanism, options } = mechanismOf(release);
  return mechanism.tables(options);
}

/** The mechanism of a release, with the options that it records. */
function mechanismOf({ facts }: Release): { mechanism: Mechanism; options: CheckedOptions } {
  const mechanism = mechanismNamed(facts.mechanism);
  const { seed: _, ...search } = facts.search;
  return { mechanism, options: mechanism.options({ estimate: facts.estimate, search }) };
}

/**
 * Makes a stand-in for a table: measures it through the door, then searches for rows with similar answers.
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
  const engines = await openEngines(options);
  const release = await measure(table, plan, withEngines(options, engines));
  return rowsOf(release, plan.problem.publicTable, withEngines({ onProgress, signal }, engines));
}
