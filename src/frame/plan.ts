import { StandinError } from "../core/errors.js";
import { checkOptions, type OptionTable } from "../core/option-table.js";
import { deepCopy, deepFreeze } from "../core/plain.js";
import type { Table } from "../core/table.js";
import { thousands } from "../core/thousands.js";
import { VERSION } from "../core/version.js";
import { type HigherOrder, higherOrder, picked } from "../mechanisms/auto.js";
import type { CheckedOptions, Mechanism } from "../mechanisms/mechanism.js";
import { AUTO, DEFAULT_MECHANISM, type MechanismOptions, mechanismsWith } from "../mechanisms/options.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import { RHO_UNIT, unitJson } from "../privacy/accounting.js";
import { type Item, itemJson, plannedNoiseJson } from "../privacy/items.js";
import {
  type BudgetOptions,
  checkedBudget,
  isQueryItem,
  type Ledger,
  type Price,
  planLedger,
} from "../privacy/ledger.js";
import { vaultBytes } from "../privacy/vault-bytes.js";
import { cellsOf, comparedColumns, type Query } from "../queries/query.js";
import { targetPlace, withTarget } from "../queries/target.js";
import { type QueryList, type Workload, weightedQueries } from "../queries/workload.js";
import { refined } from "../schema/refine.js";
import { expectSchema, type Schema } from "../schema/schema.js";
import type { Problem } from "../selection/problem.js";
import { plannedClasses } from "./classes.js";
import { expectReadable, fineFacts, targetFacts } from "./facts.js";
import { onlyKnown } from "./options.js";
import { checkPublicUse, publicTableFacts, publicTableOf } from "./public-table.js";
import { type Guarantee, guaranteeOf, type ReleaseFacts } from "./release.js";
import { MOST_ROWS } from "./release-checks.js";
import { type SeenStructure, seenStructure } from "./structure.js";

/** The options of a plan. `epsilon` or `rho` is required; the rest has defaults. */
export interface PlanOptions extends BudgetOptions, MechanismOptions {
  /**
   * The mechanism's name, or `"auto"`: a rule that uses public facts only picks one. The default is `"private-gsd"`,
   * or `"auto"` where there is no workload, no target, nor any query, option or public row.
   */
  mechanism?: string;
  /**
   * The queries that the rows should answer accurately. The default is `"2-way"`, or `"4-way"` or `"3-way"` where
   * `"auto"` finds that the columns have few values.
   */
  workload?: Workload;
  /** The name of a column that the rows should predict well: the workload's sets are measured together with it, too. */
  target?: string;
  /** More queries besides those of the workload, such as `{ expression: "age < 30 and income >= 50000" }`. */
  queries?: QueryList;
  /** Accept a schema with facts that were read from the rows: the release then has no guarantee. */
  allowUnreviewedSchema?: boolean;
  /**
   * Rows that everyone may see, read with the same schema. They are never counted, and cost no budget; private-gsd
   * initialises its search from them, and pmw-pub and pep-pub make rows of no others.
   */
  publicTable?: Table;
}

/** A planned release: its measurements, their noise and their price. */
export class Plan {
  /** @internal */
  constructor(
    readonly schema: Schema,
    readonly mechanism: string,
    readonly ledger: Ledger,
    /** @internal */
    readonly problem: Problem<CheckedOptions>,
    /**
     * The queries that will be measured. Where candidates are chosen from, the largest of them, as many as will be
     * chosen.
     */
    readonly measured: readonly Query[],
    /** Anything else that a release records about how its budget was spent. */
    readonly facts: Pick<ReleaseFacts, "stages" | "auto">,
    /** The options that this plan was made from. */
    readonly request: Omit<PlanOptions, "publicTable">,
  ) {
    Object.freeze(this);
  }

  /** The guarantee that a release of this plan will give, or `null` if it gives none (then `noGuarantee` says why). */
  get guarantee(): Guarantee | null {
    return guaranteeOf(this.ledger, this.schema, false).guarantee;
  }

  get noGuarantee(): string | undefined {
    return guaranteeOf(this.ledger, this.schema, false).noGuarantee;
  }

  /** The number of synthetic tables that its release is for. */
  get tables(): number {
    return mechanismNamed(this.mechanism).tables(this.problem.options);
  }

  /** In sets of how many columns a strong dependence can be seen. */
  get structure(): readonly SeenStructure[] {
    return seenStructure(this.ledger, this.schema, this.problem.target);
  }

  /** The parts of the domain that are kept apart, for mechanisms that have all combinations of codes in memory. */
  get parts(): readonly { readonly columns: readonly string[]; readonly points: number }[] | undefined {
    const parts = mechanismNamed(this.mechanism).parts?.(this.problem);
    return parts?.map(({ columns, points }) => ({
      columns: columns.map((column) => this.schema.attributes[column].name),
      points,
    }));
  }

  /**
   * For mechanisms whose errors are known before any data is seen: of each marginal of the workload, the standard
   * deviation of a cell, in rows, if answers come from all noisy ones by least squares; over all cells, each with its
   * weight, the root of the mean square, and the least that Gaussian noise can have at this price.
   */
  get expected() {
    const expected = mechanismNamed(this.mechanism).expected?.(this.problem, this.ledger);
    if (!expected) return undefined;
    const marginals = expected.marginals.map(({ columns, ...error }) => ({
      columns: columns.map((column) => this.schema.attributes[column].name),
      ...error,
    }));
    return { ...expected, marginals };
  }

  /**
   * The most engine memory, in bytes, that the search for this many rows may take, whatever the rounds choose. Sets
   * that AIM chooses again come on top.
   */
  memory(rows: number): number {
    const certain = this.ledger.items.filter(isQueryItem).map(({ query }) => query);
    const { attributes } = this.schema;
    const { options, publicTable } = this.problem;
    return mechanismNamed(this.mechanism).memory(attributes, this.measured, rows, certain, options, publicTable);
  }

  /** The most engine memory, in bytes, that the vault may take for a table with this many rows. */
  vaultMemory(rows: number): number {
    return vaultBytes(this.ledger, this.schema.attributes, rows);
  }

  /**
   * Refuses a number of rows that the search could not hold, before anything is spent.
   * @param asked the rows asked for; without them the declared number, where there is one
   * @throws {StandinError} `options/rows`
   */
  checkRows(asked: number | undefined): void {
    const { attributes } = this.schema;
    const { publicRows } = this.ledger;
    const rows = asked ?? (publicRows && Math.min(MOST_ROWS, publicRows));
    if (rows === undefined) return;
    const needed = this.memory(rows);
    if (needed > MOST_BYTES)
      throw new StandinError(
        "options/rows",
        `A search for ${thousands(rows)} rows of ${attributes.length} columns needs ${gibibytes(needed)} GiB; the engine has ${gibibytes(MOST_BYTES)}.`,
        "Make fewer rows now, and more later from the release.",
      );
  }

  /** The output of `standin plan --json`. */
  toJSON() {
    const { neighbours, publicRows, unit, epsilon, delta, rho, items, shown, cap, rule, warnings } = this.ledger;
    const { estimate, search } = this.problem.options;
    const { expected } = this;
    return {
      standin: VERSION,
      mechanism: this.mechanism,
      estimate,
      ...this.facts,
      ...targetFacts(this.problem),
      ...fineFacts(this.schema),
      neighbours,
      ...(publicRows === undefined ? {} : { publicRows }),
      ...publicTableFacts(this.problem.publicTable),
      unit: unitJson(unit),
      epsilon,
      delta,
      rho,
      items: [...items, ...shown].map((item) => plannedJson(item, this.schema, publicRows)),
      ...(cap === undefined ? {} : { cap: Number(cap) * RHO_UNIT, rule }),
      classes: plannedClasses(this.ledger),
      structure: this.structure,
      search,
      ...(this.parts && { parts: this.parts }),
      ...(expected && { expected }),
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
 * Plans a release without touching anything private.
 * @throws {StandinError} where an option, the budget or the workload is invalid or cannot be met
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const planned = plan(schema, { epsilon: 1 });
 * planned.toJSON().items.length; // → 1
 * planned.guarantee?.unit; // → "row"
 */
export function plan(schema: Schema, options: PlanOptions = {}): Plan {
  expectSchema(schema);
  const high = openPick(schema, options);
  const asked = options.mechanism === undefined ? (high ? AUTO : DEFAULT_MECHANISM) : options.mechanism;
  const named = asked === AUTO ? undefined : mechanismNamed(asked);
  const table = named ? named.table : {};
  expectOwnOptions(options, asked, table);
  onlyKnown(options, [...PLAN_OPTIONS, ...Object.keys(table), "allowUnreviewedSchema"]);
  if (!options.allowUnreviewedSchema) expectReviewed(schema, CONFIRM_OR_ALLOW);
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(table, name)));
  checkOptions(table, own);
  const sets = options.workload === undefined ? (high?.workload ?? "2-way") : options.workload;
  const stated = weightedQueries(sets, schema, options.queries);
  const target = options.target === undefined ? undefined : targetPlace(options.target, schema.attributes);
  const { queries: workload, weights } = target === undefined ? stated : withTarget(stated, target, schema.attributes);
  const coded = refined(schema, comparedColumns(workload));
  const { attributes, unit } = coded;
  const budget = checkedBudget(options, unit);
  const { publicTable: publicRows, ...request } = options;
  const publicTable = publicTableOf(publicRows, coded);
  const given = { attributes, workload, weights, target, budget, unit, publicTable };
  const pick = named ? undefined : (high ?? picked({ ...given, options: {} }));
  const mechanism = named ?? mechanismNamed(pick!.name);
  checkPublicUse(mechanism, publicTable);
  const problem = Object.freeze({ ...given, options: mechanism.options(high ? { ...high.options } : own) });
  const price = mechanism.price(problem);
  checkSize(price.measured, problem, mechanism);
  checkCandidates(price, coded);
  const ledger = planLedger(attributes, price, budget, unit);
  const facts = { ...price.facts, ...(pick && { auto: pick.reason }) };
  const kept = deepFreeze(deepCopy(request));
  const planned = new Plan(coded, mechanism.name, ledger, problem, price.measured, facts, kept);
  expectReadable(planned);
  return planned;
}

/** Where a request states nothing but a budget, and rows are what is protected: what its columns make worthwhile. */
function openPick(schema: Schema, options: PlanOptions): HigherOrder | undefined {
  const { mechanism = AUTO, workload, queries, target, publicTable } = options;
  const isStated = [workload, queries, target, publicTable].some((value) => value !== undefined);
  const hasOwn = Object.keys(options).some((name) => mechanismsWith(name).length);
  const hasBudget = options.epsilon !== undefined || options.rho !== undefined;
  const isOpen = mechanism === AUTO && hasBudget && !isStated && !hasOwn;
  if (!isOpen || schema.unit !== "row" || schema.linked.length) return undefined;
  return higherOrder(schema.attributes, checkedBudget(options, schema.unit));
}

const CONFIRM_OR_ALLOW =
  "Confirm those that are known independently of this table, or allow an unreviewed schema, in which case the release has no guarantee.";

/**
 * Refuses a schema with facts that were read from the rows.
 * @param hint how the caller's user can confirm them
 * @throws {StandinError} `schema/unreviewed`
 */
export function expectReviewed({ readFacts }: Schema, hint: string): void {
  const { length } = readFacts;
  if (!length) return;
  const were = length === 1 ? "1 fact of the schema was" : `${thousands(length)} facts of the schema were`;
  throw new StandinError("schema/unreviewed", `${were} read from the rows: ${readFacts.join(", ")}.`, hint);
}

/** @throws {StandinError} `options/unknown` for an option that only other mechanisms have */
function expectOwnOptions(options: PlanOptions, name: string, table: OptionTable): void {
  for (const option of Object.keys(options)) {
    const others = Object.hasOwn(table, option) ? [] : mechanismsWith(option);
    if (others.length)
      throw new StandinError(
        "options/unknown",
        `${name} has no option "${option}".`,
        `These have: ${others.join(", ")}.`,
      );
  }
}

/** The options that a plan takes for any mechanism. */
const PLAN_OPTIONS: readonly (keyof PlanOptions)[] = [
  ...(["epsilon", "rho", "delta", "neighbours", "publicRows"] as const),
  ...(["mechanism", "workload", "target", "queries", "publicTable"] as const),
];

/** A release.json with more answers than this would not fit in one string. */
const MOST_CELLS = 50_000_000;
/** The vault keeps the exact counts of all candidates, four bytes per cell. */
const MOST_CANDIDATE_CELLS = 250_000_000;
/** The memory that the engine can address, less room for rows. */
const MOST_BYTES = 3.5 * 2 ** 30;
const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);

function checkCandidates({ candidates = [] }: Price, { attributes }: Schema): void {
  const cells = candidates.reduce((sum, { query }) => sum + cellsOf(query, attributes), 0);
  if (cells > MOST_CANDIDATE_CELLS)
    throw new StandinError(
      "workload/too-large",
      `The candidate tables have ${thousands(cells)} cells; at most ${thousands(MOST_CANDIDATE_CELLS)} can be compared.`,
      "Give large columns coarser bins (standin.bins), leave columns out (role drop), or use a smaller workload.",
    );
}

function checkSize(
  queries: readonly Query[],
  { attributes, options, publicTable }: Problem<CheckedOptions>,
  mechanism: Mechanism,
): void {
  const sizes = queries.map((query) => cellsOf(query, attributes));
  const cells = sizes.reduce((sum, size) => sum + size, 0);
  const bytes = mechanism.memory(attributes, queries, 1, [], options, publicTable);
  if (cells <= MOST_CELLS && bytes <= MOST_BYTES) return;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const names = queries[sizes.indexOf(largest)].columns.map((column) => attributes[column].name).join(" × ");
  throw new StandinError(
    "workload/too-large",
    `The workload has ${thousands(cells)} cells, which take ${gibibytes(bytes)} GiB; the limit is ${thousands(MOST_CELLS)} cells ` +
      `and ${gibibytes(MOST_BYTES)} GiB. Its largest table is ${names}, with ${thousands(largest)} cells.`,
    "Give large columns coarser bins (standin.bins), leave columns out (role drop), or use a smaller workload.",
  );
}
