import { StandinError } from "./core/errors.js";
import type { OnProgress } from "./core/progress.js";
import { Table } from "./core/table.js";
import { VERSION } from "./core/version.js";
import { estimateTotal } from "./estimate/total.js";
import type { Mechanism, SearchOutcome, Settings } from "./mechanisms/mechanism.js";
import { mechanismNamed } from "./mechanisms/registry.js";
import { Budget } from "./privacy/budget.js";
import { measureItems } from "./privacy/door.js";
import { type BudgetOptions, itemJson, type Ledger, planLedger } from "./privacy/plan.js";
import { type Guarantee, guaranteeOf, Release, releasedItems, unitJson } from "./privacy/release.js";
import { cellsOf, type Query } from "./queries/query.js";
import { type Workload, workloadQueries } from "./queries/workload.js";
import { decodeRows } from "./schema/decode.js";
import { expectSchema, type Schema } from "./schema/schema.js";

export interface PlanOptions extends BudgetOptions {
  /** The mechanism's name (default `"private-gsd"`). */
  mechanism?: string;
  /** What to be right about (default `"2-way"`). */
  workload?: Workload;
  /** The projection's settings: `{ method: "paper" }`, … (default: the mechanism's). */
  search?: Settings;
  /** Accept a schema with facts that were read from the rows: the release then has no guarantee. */
  allowUnreviewedSchema?: boolean;
}

/** What will be measured, with what noise, at what price. */
export class Plan {
  constructor(
    readonly schema: Schema,
    readonly mechanism: string,
    readonly ledger: Ledger,
    readonly settings: Settings,
  ) {
    Object.freeze(this);
  }

  /** What a release of this plan will promise, or `null` where it will promise nothing (then `noGuarantee` says why). */
  get guarantee(): Guarantee | null {
    return guaranteeOf(this.ledger, this.schema, false).guarantee;
  }

  get noGuarantee(): string | undefined {
    return guaranteeOf(this.ledger, this.schema, false).noGuarantee;
  }

  /**
   * Refuses, before anything is spent, rows that the search could not hold.
   * @throws {StandinError} `options/rows`
   */
  checkRows(rows: number): void {
    const { attributes } = this.schema;
    const queries = this.ledger.items.map(({ query }) => query);
    const needed = mechanismNamed(this.mechanism).memory(attributes, queries, rows);
    if (needed > MOST_BYTES)
      throw new StandinError(
        "options/rows",
        `A search for ${counted(rows)} rows of ${attributes.length} columns needs ${gibibytes(needed)} GiB; the engine has ${gibibytes(MOST_BYTES)}.`,
        "Ask for fewer rows, and for more of them later from the release.",
      );
  }

  /** What `standin plan --json` prints. */
  toJSON() {
    const { neighbours, publicRows, unit, epsilon, delta, rho, items, warnings } = this.ledger;
    return {
      standin: VERSION,
      mechanism: this.mechanism,
      neighbours,
      ...(publicRows === undefined ? {} : { publicRows }),
      unit: unitJson(unit),
      epsilon,
      delta,
      rho,
      items: items.map((item) => itemJson(item, this.schema)),
      search: this.settings,
      ...guaranteeOf(this.ledger, this.schema, false),
      warnings,
    };
  }
}

/**
 * Plans a release: nothing private is touched.
 * @throws {StandinError} where an option, the budget or the workload cannot be meant or met
 */
export function plan(schema: Schema, options: PlanOptions = {}): Plan {
  expectSchema(schema);
  onlyKnown(options, PLAN_OPTIONS);
  const mechanism = mechanismNamed(options.mechanism ?? "private-gsd");
  if (schema.readFacts.length && !options.allowUnreviewedSchema)
    throw new StandinError(
      "schema/unreviewed",
      `Facts of the schema were read from the rows: ${schema.readFacts.join(", ")}.`,
      "Confirm those that are known independently of this table, or allow an unreviewed schema: the release then has no guarantee.",
    );
  const settings = mechanism.settings(options.search ?? {});
  const { attributes } = schema;
  const selected = mechanism.select(workloadQueries(options.workload ?? "2-way", attributes), attributes, settings);
  checkSize(
    selected.map(({ query }) => query),
    schema,
    mechanism,
  );
  return new Plan(schema, mechanism.name, planLedger(schema, selected, options), settings);
}

const PLAN_OPTIONS: readonly (keyof PlanOptions)[] = [
  ...(["epsilon", "rho", "delta", "neighbours", "publicRows"] as const),
  ...(["mechanism", "workload", "search", "allowUnreviewedSchema"] as const),
];

/** A release.json of more answers than this would not fit into one text. */
const MOST_CELLS = 50_000_000;
/** What the engine can address, less room for rows. */
const MOST_BYTES = 3.5 * 2 ** 30;
const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);
const counted = (count: number): string => count.toLocaleString("en");

function checkSize(queries: readonly Query[], { attributes }: Schema, mechanism: Mechanism): void {
  const sizes = queries.map((query) => cellsOf(query, attributes));
  const cells = sizes.reduce((sum, size) => sum + size, 0);
  const bytes = mechanism.memory(attributes, queries, 1);
  if (cells <= MOST_CELLS && bytes <= MOST_BYTES) return;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const names = queries[sizes.indexOf(largest)].columns.map((column) => attributes[column].name).join(" × ");
  throw new StandinError(
    "workload/too-large",
    `The workload has ${counted(cells)} cells, which take ${gibibytes(bytes)} GiB; the most is ${counted(MOST_CELLS)} cells ` +
      `and ${gibibytes(MOST_BYTES)} GiB. Its largest table is ${names}, with ${counted(largest)} cells.`,
    "Give large columns coarser bins (standin.bins), leave columns out (role drop), or ask for a smaller workload.",
  );
}

/** A misspelt option must not be a silent default. @throws {StandinError} `options/unknown` */
function onlyKnown(options: object, known: readonly string[]): void {
  const stray = Object.keys(options).find((name) => !known.includes(name));
  const open = known.filter((name) => !name.startsWith("unsafe"));
  if (stray !== undefined)
    throw new StandinError("options/unknown", `There is no option "${stray}" here.`, `Options: ${open.join(", ")}.`);
}

/** @throws {StandinError} `options/argument` */
function expectArgument(holds: boolean, expected: string): void {
  if (!holds) throw new StandinError("options/argument", `Expected ${expected}, and got something else.`);
}

export interface RowOptions {
  /** Which engine searches: `"auto"` and `"wasm"` are the same in this version. */
  engine?: "auto" | "wasm";
  /** How many rows to make, 1 … 10^7 (default: N̂ rounded, or the declared n). */
  rows?: number;
  /** The search seed, a whole number of 32 bits (default: fresh, and recorded). It has nothing to do with the noise. */
  seed?: number;
  onProgress?: OnProgress;
  signal?: AbortSignal;
}

export interface MeasureOptions extends RowOptions {
  /** A budget shared by several releases, charged before anything is measured. */
  budget?: Budget;
  /** For tests only: a known noise key of 32 bytes. The release then has no guarantee. */
  unsafeNoiseKey?: Uint8Array;
}

/** A release with the rows that were made from it. */
export class SyntheticRelease extends Release {
  constructor(
    release: Release,
    /** The synthetic rows: generated, none copied. */
    readonly table: Table,
    /** How the search for them went. */
    readonly outcome: SearchOutcome,
  ) {
    super(release.schema, release.measurements, release.ledger, release.facts);
  }
}

/**
 * Measures a table through the door, and nothing more: keep the result before searching, so that a lost search costs nothing.
 * @throws {StandinError} `budget/exceeded` before anything is measured; `options/…`
 */
export async function measure(table: Table, plan: Plan, options: MeasureOptions = {}): Promise<Release> {
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read");
  expectArgument(plan instanceof Plan, "a plan that plan() has made");
  expectArgument(!options.budget || options.budget instanceof Budget, "a budget made by new Budget({ … })");
  onlyKnown(options, MEASURE_OPTIONS);
  const { rows, seed } = checkRowOptions(options);
  if (rows !== undefined) plan.checkRows(rows);
  const { budget, unsafeNoiseKey, onProgress, signal } = options;
  const { schema, ledger } = plan;
  const measurements = await measureItems(table, schema, ledger, { budget, unsafeNoiseKey, onProgress, signal });
  const total = ledger.publicRows ?? estimateTotal(measurements, schema.attributes);
  const release = new Release(schema, measurements, releasedItems(ledger, schema), {
    mechanism: plan.mechanism,
    neighbours: ledger.neighbours,
    publicRows: ledger.publicRows,
    epsilon: ledger.epsilon,
    delta: ledger.delta,
    rho: ledger.rho,
    columns: table.names,
    delimiter: table.delimiter,
    total,
    rows: rows ?? Math.min(1e7, Math.max(1, Math.round(total))),
    search: { seed: seed ?? freshSeed(), ...plan.settings },
    ...guaranteeOf(ledger, schema, unsafeNoiseKey !== undefined),
  });
  onProgress?.({ phase: "measured" });
  return release;
}

/**
 * Makes rows from a release: no data, no budget. With the release's own rows and seed, the bytes are those of the first run.
 * @throws {StandinError} `options/…`
 */
export async function resample(release: Release, options: RowOptions = {}): Promise<SyntheticRelease> {
  expectArgument(release instanceof Release, "a release from measure(), synthesize() or parseRelease()");
  onlyKnown(options, ROW_OPTIONS);
  const { rows = release.facts.rows, seed: asked } = checkRowOptions(options);
  const { seed: recorded, ...settings } = release.facts.search;
  const seed = asked ?? Number(recorded);
  const mechanism = mechanismNamed(release.facts.mechanism);
  const found = await mechanism.project({
    attributes: release.schema.attributes,
    measurements: release.measurements,
    total: release.facts.total,
    rows,
    seed,
    settings: mechanism.settings(settings),
    onProgress: options.onProgress,
    signal: options.signal,
  });
  const { columns, delimiter } = release.facts;
  const table = decodeRows(release.schema, columns, delimiter, found.codes, found.uniforms);
  const made = new Release(release.schema, release.measurements, release.ledger, {
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
 */
export async function synthesize(table: Table, plan: Plan, options: MeasureOptions = {}): Promise<SyntheticRelease> {
  const { onProgress, signal } = options;
  return resample(await measure(table, plan, options), { onProgress, signal });
}

const ROW_OPTIONS: readonly (keyof RowOptions)[] = ["rows", "seed", "engine", "onProgress", "signal"];
const MEASURE_OPTIONS: readonly (keyof MeasureOptions)[] = [...ROW_OPTIONS, "budget", "unsafeNoiseKey"];

/** @throws {StandinError} `options/rows`, `options/seed`, `options/engine` */
export function checkRowOptions({ rows, seed, engine = "auto" }: RowOptions): RowOptions {
  if (engine !== "auto" && engine !== "wasm")
    throw new StandinError(
      "options/engine",
      `"${engine}" is no engine of this version.`,
      'Use "auto" or "wasm": they are the same here.',
    );
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= 1 && rows <= 1e7))
    throw new StandinError("options/rows", `rows is ${rows}.`, "Ask for a whole number from 1 to 10,000,000.");
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    throw new StandinError("options/seed", `seed is ${seed}.`, "Give a whole number from 0 to 4,294,967,295.");
  return { rows, seed };
}

const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0];
