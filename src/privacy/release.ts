import { StandinError } from "../core/errors.js";
import { VERSION } from "../core/version.js";
import { MAX_ORDER } from "../engine/layout.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query, queryOf, shapesOf } from "../queries/query.js";
import { type Attribute, isDelimiter, parseSchema, type Schema } from "../schema/schema.js";
import type { Neighbours, Unit } from "./accounting.js";
import { isName } from "./budget.js";
import { type MeasurementJson, noiseJson, type SelectionJson } from "./items.js";
import type { Ledger } from "./plan.js";

/** What a release promises, or `null` where it promises nothing (then `noGuarantee` says why). */
export interface Guarantee {
  readonly epsilon: number;
  readonly delta: number;
  readonly unit: "row" | { readonly maxRows: number };
  readonly neighbours: Neighbours;
}

/** One item that was drawn: what it is, at what price, and what came out. */
export type ReleasedItem =
  | { readonly item: MeasurementJson; readonly measurement: Measurement }
  /** The numbers of the chosen candidates, in the order of choice, as `ledger.candidates` numbers them. */
  | { readonly item: SelectionJson; readonly chosen: readonly number[] };

/** Everything that release.json may hold beside the items' answers and the schema: public facts and noisy values. */
export interface ReleaseFacts {
  readonly mechanism: string;
  /** What rows are made to match, as the mechanism names it. */
  readonly estimate: string;
  /** In how many stages the workload was measured, where no rounds chose. */
  readonly stages?: number;
  readonly neighbours: Neighbours;
  readonly publicRows?: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly rho: number;
  /** The columns of the output, in order: those of the input's header that the schema keeps. */
  readonly columns: readonly string[];
  /** The field separator of the output. */
  readonly delimiter: string;
  /** N̂, or the declared n. */
  readonly total: number;
  /** The rows asked for, else N̂ rounded, from 1 to 10^7. */
  readonly rows: number;
  readonly search: Readonly<Record<string, string | number>>;
  readonly guarantee: Guarantee | null;
  readonly noGuarantee?: string;
  /** What is left to do: present while rounds are to come. */
  readonly unfinished?: Unfinished;
}

/**
 * What an unfinished release needs, beside its table, to go on: what its user asked for, and its name in a shared
 * budget.
 */
export interface Unfinished {
  /** The options of the plan. */
  readonly request: object;
  /** The rows asked for, where they were. */
  readonly rows?: number;
  /** Where a shared budget counts its items: random names of the release, and of the run that measured it. */
  readonly release?: string;
  readonly run?: string;
}

/** The noisy answers among the items. */
export function measurementsOf(items: readonly ReleasedItem[]): Measurement[] {
  return items.flatMap((entry) => ("measurement" in entry ? [entry.measurement] : []));
}

/**
 * The measured part of a release: all that the door let out, and all that a search needs. Whoever holds it can make more rows at
 * no further cost.
 */
export class Release {
  constructor(
    readonly schema: Schema,
    /** What was drawn, in order. */
    readonly items: readonly ReleasedItem[],
    readonly facts: ReleaseFacts,
  ) {}

  /** The noisy answers. */
  get measurements(): Measurement[] {
    return measurementsOf(this.items);
  }

  /** What was charged, item by item. */
  get ledger(): (MeasurementJson | SelectionJson)[] {
    return this.items.map(({ item }) => item);
  }

  /** The content of release.json. */
  toJSON() {
    const { mechanism, estimate, stages, neighbours, publicRows, epsilon, delta, rho, ...rest } = this.facts;
    return {
      standin: VERSION,
      mechanism,
      estimate,
      ...(stages === undefined ? {} : { stages }),
      neighbours,
      ...(publicRows === undefined ? {} : { publicRows }),
      epsilon,
      delta,
      rho,
      items: this.items.map((entry) => itemWithOutcome(entry, this.facts)),
      schema: this.schema.toJSON(),
      ...rest,
    };
  }
}

/** An item as release.json holds it. What noise makes of its answers follows from the rest, as soon as that is complete. */
function itemWithOutcome(entry: ReleasedItem, { total, unfinished }: ReleaseFacts) {
  if ("chosen" in entry) return { ...entry.item, chosen: entry.chosen };
  const noise = unfinished ? {} : { noise: noiseJson(entry.item, total) };
  return { ...entry.item, ...noise, answers: Array.from(entry.measurement.answers) };
}

type ItemWithOutcome = ReturnType<typeof itemWithOutcome>;

/** What may be promised: nothing if a fact of the schema was read from the rows, or the noise can be known. */
export function guaranteeOf(
  ledger: Ledger,
  schema: Schema,
  noiseIsKnown: boolean,
): { guarantee: Guarantee | null; noGuarantee?: string } {
  if (noiseIsKnown)
    return {
      guarantee: null,
      noGuarantee: "NOT differentially private: the noise was drawn from a known key, for tests.",
    };
  const read = schema.readFacts;
  if (read.length)
    return {
      guarantee: null,
      noGuarantee: `NOT differentially private: ${read.length} fact${read.length === 1 ? " was" : "s were"} read from the rows: ${read.join(", ")}.`,
    };
  const unit = unitJson(ledger.unit);
  return { guarantee: { epsilon: ledger.epsilon, delta: ledger.delta, unit, neighbours: ledger.neighbours } };
}

/** The unit without the column's name, as plan and release print it. */
export const unitJson = (unit: Unit): "row" | { maxRows: number } =>
  unit === "row" ? "row" : { maxRows: unit.maxRows };

/**
 * Reads release.json.
 * @throws {StandinError} `release/…` where it is not a whole release of this version's kind
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const release = await measure(parseCsv("sex\nF\nM\n", schema), plan(schema, { epsilon: 1 }));
 * parseRelease(JSON.stringify(release)).facts.guarantee?.epsilon; // → 1
 */
export function parseRelease(text: string): Release {
  let json: ReturnType<Release["toJSON"]>;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken("is not JSON");
  }
  if (typeof json?.standin !== "string" || !Array.isArray(json.items) || !json.items.length)
    throw broken("has no version or no items");
  const schema = parseSchema(json.schema);
  const entries = json.items.map((item, at) => parseItem(item, schema, at));
  const { standin, items: _, schema: __, ...facts } = json;
  checkFacts(facts, schema);
  checkPrice(facts, entries);
  if (facts.unfinished) checkUnfinished(facts.unfinished, standin);
  return new Release(schema, entries, facts);
}

function parseItem(json: ItemWithOutcome, schema: Schema, at: number): ReleasedItem {
  if (json?.kind === "selection" && "chosen" in json) {
    const { chosen, ...item } = json;
    const isCandidate = (number: unknown) => isWhole(number) && isWhole(item.candidates) && number < item.candidates;
    if (!Array.isArray(chosen) || chosen.length !== item.picks || !chosen.every(isCandidate))
      throw broken(`has a selection (number ${at + 1}) that chose no candidates of its own`);
    return { item, chosen };
  }
  if (json?.kind !== "measurement" || !("answers" in json) || !Array.isArray(json.answers))
    throw broken(`has an item (number ${at + 1}) that is no measurement`);
  const { answers, noise: _, ...item } = json;
  return { item, measurement: parseMeasurement(item, answers, schema, at) };
}

function parseMeasurement(item: MeasurementJson, answers: readonly number[], schema: Schema, at: number): Measurement {
  if (!Array.isArray(item.columns)) throw broken(`has an item (number ${at + 1}) that is no measurement`);
  const columns = item.columns.map((name) => schema.attributes.findIndex((attribute) => attribute.name === name));
  const areInOrder = columns.every((column, axis) => column > (axis > 0 ? columns[axis - 1] : -1));
  if (!areInOrder || columns.length > MAX_ORDER)
    throw broken(`has an item (number ${at + 1}) whose columns are not a few modelled columns in the schema's order`);
  const query: Query = {
    ...(columns.length ? queryOf(columns, schema.attributes) : { kind: "total", columns }),
    ...(item.groups === undefined ? {} : { groups: item.groups }),
  };
  if (query.groups && !areGroups(query, schema.attributes))
    throw broken(`has an item (number ${at + 1}) whose groups are not groups of its columns' codes`);
  const fits = query.kind === item.query && cellsOf(query, schema.attributes) === answers.length;
  if (!fits || item.cells !== answers.length || item.partitions !== shapesOf(query, schema.attributes).length)
    throw broken(`has an item (number ${at + 1}) whose answers do not fit its columns`);
  if (!answers.every((answer) => answer === (answer | 0)))
    throw broken(`has an item (number ${at + 1}) with answers that are not whole numbers of 32 bits`);
  if (!(typeof item.sigma2 === "number" && item.sigma2 >= LEAST_SIGMA2 && item.sigma2 <= MOST_SIGMA2))
    throw broken(`has an item (number ${at + 1}) without its noise, sigma2`);
  return { query, answers: Int32Array.from(answers), sigma2: item.sigma2 };
}

/** Whether a marginal's groups have a number for every code, from 0 without gaps. */
function areGroups({ kind, columns, groups }: Query, attributes: readonly Attribute[]): boolean {
  return (
    kind === "marginal" &&
    Array.isArray(groups) &&
    groups.length === columns.length &&
    groups.every((map, axis) => {
      if (map === null) return true;
      if (!Array.isArray(map) || map.length !== attributes[columns[axis]].size) return false;
      const numbers = new Set<unknown>(map);
      return map.every((group: unknown) => isWhole(group) && group < numbers.size);
    })
  );
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The most rows that are made at once. */
export const MOST_ROWS = 1e7;

/** The variances that the noise can have. */
const [LEAST_SIGMA2, MOST_SIGMA2] = [2 ** -10, 2 ** 46];

function checkFacts(facts: ReleaseFacts, schema: Schema): void {
  const { estimate, columns, delimiter, total, rows, search, guarantee, noGuarantee = "" } = facts;
  const kept = new Set(schema.fields.filter(({ role }) => role !== "drop").map(({ name }) => name));
  if (!Array.isArray(columns) || !columns.every((name) => kept.delete(name)))
    throw broken("lists columns twice, or that its schema does not keep");
  if (schema.attributes.some(({ name }) => !columns.includes(name)))
    throw broken("lacks a modelled column in its list of columns");
  if (typeof estimate !== "string") throw broken("does not say what its rows match");
  if (!isDelimiter(delimiter)) throw broken("names no delimiter");
  if (!(Number.isFinite(total) && Math.abs(total) < 2 ** 53)) throw broken("has no total");
  if (!isNumberOfRows(rows)) throw broken("has no number of rows from 1 to 10,000,000");
  if (!(typeof search?.seed === "number" && Number.isInteger(search.seed) && search.seed >= 0 && search.seed < 2 ** 32))
    throw broken("has no search seed");
  if (!(guarantee === null ? typeof noGuarantee === "string" : isGuarantee(guarantee)))
    throw broken("promises nothing that can be understood");
}

/** Refuses a release that says two things of its price: what it promises, what it was asked for, and what its items cost are one. */
function checkPrice(
  { neighbours, epsilon, delta, rho, guarantee }: ReleaseFacts,
  items: readonly ReleasedItem[],
): void {
  if (!(isAbove0(epsilon) && isAbove0(delta) && delta <= 1 && isAbove0(rho) && isRelation(neighbours)))
    throw broken("does not say what its budget is");
  if (!items.every(({ item }) => isAbove0(item.rho))) throw broken("has an item without its price, rho");
  const spent = items.reduce((sum, { item }) => sum + item.rho, 0);
  if (spent > rho * (1 + ROUNDING)) throw broken("has items that cost more than its budget");
  const { epsilon: promised = epsilon, delta: within = delta, neighbours: of = neighbours } = guarantee ?? {};
  if (promised !== epsilon || within !== delta || of !== neighbours)
    throw broken("promises something else than its budget gives");
}

/** What sums of prices in floating point may be off by, relatively. */
const ROUNDING = 1e-9;

const isAbove0 = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0;
const isRelation = (value: unknown): value is Neighbours => value === "add-remove" || value === "replace";
const isNumberOfRows = (value: unknown): value is number => isWhole(value) && value >= 1 && value <= MOST_ROWS;

function checkUnfinished({ request, rows, release, run }: Unfinished, version: string): void {
  if (typeof request !== "object" || request === null || (rows !== undefined && !isNumberOfRows(rows)))
    throw broken("does not say how to go on");
  if (!(release === undefined && run === undefined) && !(isName(release) && isName(run)))
    throw broken("does not say how a shared budget knows it");
  if (version !== VERSION)
    throw new StandinError(
      "release/version",
      `This release was begun by standin ${version}, and this is ${VERSION}.`,
      "Go on with the version that began it.",
    );
}

function isGuarantee(value: Guarantee | undefined): boolean {
  const { epsilon, delta, unit, neighbours } = (value ?? {}) as Partial<Guarantee>;
  const rows = unit === "row" ? 1 : unit?.maxRows;
  return isAbove0(epsilon) && isAbove0(delta) && isWhole(rows) && rows >= 1 && rows <= 65_535 && isRelation(neighbours);
}

function broken(what: string): StandinError {
  return new StandinError(
    "release/broken",
    `This file is no release of standin: it ${what}.`,
    "Give the release.json that a run of standin wrote.",
  );
}
