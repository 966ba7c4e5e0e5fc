import { StandinError } from "../core/errors.js";
import { deepFreeze } from "../core/freeze.js";
import { VERSION } from "../core/version.js";
import type { EstimateName, Mechanism, SelectionOptions, Settings } from "../mechanisms/mechanism.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import { RHO_UNIT, unitJson } from "../privacy/accounting.js";
import { type Item, itemJson, plannedNoiseJson } from "../privacy/items.js";
import { type BudgetOptions, budgetTerms, type Ledger, planLedger, type Schedule } from "../privacy/plan.js";
import { type Guarantee, guaranteeOf } from "../privacy/release.js";
import { vaultBytes } from "../privacy/vault-bytes.js";
import { cellsOf, type Query } from "../queries/query.js";
import { type Workload, workloadQueries } from "../queries/workload.js";
import { type Attribute, expectSchema, type Schema } from "../schema/schema.js";
import { expectReadable } from "./facts.js";
import { onlyKnown } from "./options.js";

/** What a plan is made from; `epsilon` or `rho` is needed, the rest has defaults. */
export interface PlanOptions extends BudgetOptions, SelectionOptions {
  /** The mechanism's name (default `"private-gsd"`). */
  mechanism?: string;
  /** What to be right about (default `"2-way"`). */
  workload?: Workload;
  /** What the rows match: estimates made from all noisy answers, or these as they are (default: the mechanism's). */
  estimate?: EstimateName;
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
    readonly estimate: EstimateName,
    readonly settings: Settings,
    /** The queries of the workload, and those that are measured: the largest of the candidates, where rounds choose. */
    readonly workload: readonly Query[],
    readonly measured: readonly Query[],
    /** The options that this plan was made from. */
    readonly request: PlanOptions,
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

  /** In how many stages the workload is measured; none of them where rounds choose. */
  get stages(): 1 | 2 | undefined {
    if (this.ledger.second.length) return 2;
    return this.ledger.candidates.length ? undefined : 1;
  }

  /** The bytes of engine memory that the search for so many rows may take, whatever the rounds choose. */
  memory(rows: number): number {
    return mechanismNamed(this.mechanism).memory(this.schema.attributes, this.measured, rows);
  }

  /** The bytes of engine memory that the vault may take for a table of so many rows. */
  vaultMemory(rows: number): number {
    return vaultBytes(this.ledger, this.schema.attributes, rows);
  }

  /**
   * Refuses, before anything is spent, rows that the search could not hold.
   * @throws {StandinError} `options/rows`
   */
  checkRows(rows: number): void {
    const { attributes } = this.schema;
    const needed = this.memory(rows);
    if (needed > MOST_BYTES)
      throw new StandinError(
        "options/rows",
        `A search for ${counted(rows)} rows of ${attributes.length} columns needs ${gibibytes(needed)} GiB; the engine has ${gibibytes(MOST_BYTES)}.`,
        "Ask for fewer rows, and for more of them later from the release.",
      );
  }

  /** What `standin plan --json` prints. */
  toJSON() {
    const { neighbours, publicRows, unit, epsilon, delta, rho, items, second, cap, rule, warnings } = this.ledger;
    return {
      standin: VERSION,
      mechanism: this.mechanism,
      estimate: this.estimate,
      ...(this.stages && { stages: this.stages }),
      neighbours,
      ...(publicRows === undefined ? {} : { publicRows }),
      unit: unitJson(unit),
      epsilon,
      delta,
      rho,
      items: [...items, ...second].map((item) => plannedJson(item, this.schema, publicRows)),
      ...(cap === undefined ? {} : { cap: Number(cap) * RHO_UNIT, rule }),
      search: this.settings,
      memory: this.memory(1),
      vaultMemory: this.vaultMemory(1),
      ...guaranteeOf(this.ledger, this.schema, false),
      warnings,
    };
  }
}

function plannedJson(item: Item, schema: Schema, publicRows: number | undefined) {
  const json = itemJson(item, schema);
  return json.kind === "selection" ? json : { ...json, noise: plannedNoiseJson(json, publicRows) };
}

/**
 * Plans a release: nothing private is touched.
 * @throws {StandinError} where an option, the budget or the workload cannot be meant or met
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const planned = plan(schema, { epsilon: 1 });
 * planned.toJSON().items.length; // → 1
 * planned.guarantee?.unit; // → "row"
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
  const estimate = mechanism.estimate(options.estimate, settings);
  const { attributes } = schema;
  const workload = workloadQueries(options.workload ?? "2-way", attributes);
  const budget = budgetTerms(options, schema.unit);
  const schedule = mechanism.schedule(workload, attributes, estimate, budget, options);
  const measured = measuredAtMost(schedule, attributes);
  checkSize(measured, schema, mechanism);
  checkCandidates(schedule, attributes);
  const ledger = planLedger(schema, schedule, budget);
  const request = deepFreeze(structuredClone(options));
  const planned = new Plan(schema, mechanism.name, ledger, estimate, settings, workload, measured, request);
  expectReadable(planned);
  return planned;
}

const PLAN_OPTIONS: readonly (keyof PlanOptions)[] = [
  ...(["epsilon", "rho", "delta", "neighbours", "publicRows"] as const),
  ...(["mechanism", "workload", "selection", "rounds", "perRound", "stages", "estimate", "search"] as const),
  "allowUnreviewedSchema",
];

/** A release.json of more answers than this would not fit into one text. */
const MOST_CELLS = 50_000_000;
/** The vault keeps the exact counts of all candidates, four bytes each. */
const MOST_CANDIDATE_CELLS = 250_000_000;
/** What the engine can address, less room for rows. */
const MOST_BYTES = 3.5 * 2 ** 30;
const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);
const counted = (count: number): string => count.toLocaleString("en");

/** The queries of both stages, and as many of the candidates as rounds choose, the largest ones. */
function measuredAtMost({ first, second, rounds }: Schedule, attributes: readonly Attribute[]): Query[] {
  const queries = [...first, ...(second?.queries ?? [])].map(({ query }) => query);
  if (!rounds) return queries;
  const bySize = rounds.candidates
    .map((query) => ({ query, cells: cellsOf(query, attributes) }))
    .sort((a, b) => b.cells - a.cells);
  return [...queries, ...bySize.slice(0, rounds.count * rounds.picks).map(({ query }) => query)];
}

function checkCandidates({ second, rounds }: Schedule, attributes: readonly Attribute[]): void {
  const cells = ((second ?? rounds)?.candidates ?? []).reduce((sum, query) => sum + cellsOf(query, attributes), 0);
  if (cells > MOST_CANDIDATE_CELLS)
    throw new StandinError(
      "workload/too-large",
      `The tables that are chosen from have ${counted(cells)} cells; at most ${counted(MOST_CANDIDATE_CELLS)} can be compared.`,
      "Give large columns coarser bins (standin.bins), leave columns out (role drop), or ask for a smaller workload.",
    );
}

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
