import { shownNumber, shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { copyOfData } from "../core/plain.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import type { Columns } from "../domain/columns.js";
import { MAX_ORDER } from "../engine/layout.js";
import { CLASSES, classNamed, type WorkloadQuery } from "./index.js";
import { keyOf, type Query, queryOf } from "./query.js";
import type { QueryJson } from "./query-class.js";

/** A class may state something for each column, in their order. */
const OUT_OF_ORDER = "whose columns are not in the schema's order";

/** The most column sets in one workload: each takes its own share of the budget and its own tables in the search. */
const MOST_SETS = 1_000_000;

/**
 * The queries that the rows should answer accurately: `"2-way"` etc. for all sets of exactly k modelled columns (or of
 * all columns, if there are fewer), or a list of sets.
 */
export type Workload = `${number}-way` | QueryList;

/** Sets of columns, by name, and other queries, each of which may have a weight. */
export type QueryList = readonly (readonly string[] | Weighted<ColumnSets | WorkloadQuery>)[];

/** A set of columns, by name, or `"2-way"` etc. for all sets of exactly k modelled columns. */
export type ColumnSets = { readonly columns: readonly string[] | `${number}-way` };

/**
 * Something with a weight: a number above 0, by default 1. Only ratios matter. Where everything is measured at once,
 * the parts of the budget are in proportion to the weights; where rounds choose, errors are multiplied by them before
 * they are compared. Every one of several column sets has the weight; a set of random queries is measured as one query,
 * and chosen from one by one.
 */
export type Weighted<T> = T & { readonly weight?: number };

/** The queries of a workload, in a fixed order, and the weight of each, unless all weigh the same. */
export interface WeightedQueries {
  readonly queries: Query[];
  readonly weights?: ReadonlyMap<Query, number>;
}

/**
 * The queries of a workload. For k-way, sets are in lexicographic order of the columns' positions in the schema; for a
 * list, in the order given. Repeated and permuted sets are merged, and have the weight that is stated last.
 * @param more queries that follow those of the workload
 * @throws {StandinError} `workload/…`: not a workload, no modelled column, an unknown column, a column twice in one
 * set, too many sets, a weight that is none, a query that its class does not recognise, an expression that does not fit
 * the table
 */
export function weightedQueries(workload: Workload, table: Columns, more?: QueryList): WeightedQueries {
  const { attributes } = table;
  const [asked, others] = copyOfData([workload, more] as const, "queries as JSON can state them");
  if (!attributes.length)
    throw new StandinError(
      "workload/no-columns",
      "The schema models no column, so there is nothing to measure.",
      'Give at least one field the role "model".',
    );
  const isNamed = typeof asked === "string";
  const first = isNamed ? setsOf(asked, attributes).map((query) => ({ query })) : listed(asked, table);
  if (isNamed && others === undefined) return { queries: first.map(({ query }) => query) };
  return merged([...first, ...(others === undefined ? [] : listed(others, table, "queries"))]);
}

/** The queries of a workload. @throws {StandinError} as `weightedQueries` */
export const workloadQueries = (...asked: Parameters<typeof weightedQueries>): Query[] =>
  weightedQueries(...asked).queries;

/** A query as a list states it. */
interface StatedQuery {
  readonly query: Query;
  readonly weight?: number;
}

function merged(stated: readonly StatedQuery[]): WeightedQueries {
  const byKey = new Map<string, Query>();
  const weightOf = new Map<string, number>();
  for (const { query, weight } of stated) {
    const key = keyOf(query);
    byKey.set(key, query);
    if (weight !== undefined) weightOf.set(key, weight);
  }
  const weights = new Map([...byKey].map(([key, query]) => [query, weightOf.get(key) ?? 1]));
  const areEqual = new Set(weights.values()).size < 2;
  return { queries: [...byKey.values()], ...(!areEqual && { weights }) };
}

function orderOf(workload: string): number {
  const order = /^([1-9]\d*)-way$/.exec(workload)?.[1];
  if (!order || Number(order) > MAX_ORDER)
    throw new StandinError(
      "workload/unknown",
      `${shownValue(workload)} is not a workload.`,
      `Use "1-way", "2-way", … "${MAX_ORDER}-way", or a list of column sets such as [["age", "sex"], ["age"]].`,
    );
  return Number(order);
}

/** All sets of k columns. */
function setsOf(workload: string, attributes: readonly Attribute[]): Query[] {
  const order = Math.min(orderOf(workload), attributes.length);
  expectFewSets(
    `The workload ${workload} of ${thousands(attributes.length)} columns`,
    binomial(attributes.length, order),
  );
  return combinations(attributes.length, order).map((columns) => queryOf(columns, attributes));
}

/** @throws {StandinError} `workload/too-large` for more column sets than a workload can have */
export function expectFewSets(workload: string, count: number): void {
  if (count > MOST_SETS)
    throw new StandinError(
      "workload/too-large",
      `${workload} has ${thousands(count)} column sets; at most ${thousands(MOST_SETS)} can be measured.`,
      "Leave columns out (role drop), list the sets that matter, or use a smaller workload.",
    );
}

/** @param name what messages call the list */
function listed(
  entries: readonly (readonly string[] | QueryJson)[],
  table: Columns,
  name: "workload" | "queries" = "workload",
): StatedQuery[] {
  if (Array.isArray(entries)) for (const [at, entry] of entries.entries()) expectKnownQuery(entry, at, name);
  const lists = Array.isArray(entries) ? Array.from(entries, (entry) => listedQueries(entry, table)) : [];
  const wrong = lists.findIndex((list) => !list.length);
  if (!lists.length || wrong >= 0)
    throw new StandinError(
      "workload/unknown",
      lists.length
        ? `Entry ${wrong + 1} of the ${name} is neither a set of columns nor a query.`
        : `The ${name} must be a list of column sets and other queries, with at least one of them.`,
      'Write it as [["age", "sex"], { "columns": "2-way", "weight": 2 }, { "expression": "age < 30" }].',
    );
  return lists.flat();
}

/** The queries of an entry; none if it is no entry. */
function listedQueries(entry: readonly string[] | QueryJson, table: Columns): StatedQuery[] {
  const { attributes } = table;
  if (Array.isArray(entry)) return entry.length ? [{ query: queryOf(columnsOf(entry, attributes), attributes) }] : [];
  const { weight: given, ...stated } = (entry ?? {}) as QueryJson;
  const weight = checkedWeight(given);
  const { columns } = stated;
  if (isAsked(stated)) return [{ query: askedQuery(stated, table), weight }];
  if (columns !== undefined && Object.keys(stated).length === 1) {
    if (typeof columns === "string") return setsOf(columns, attributes).map((query) => ({ query, weight }));
    return Array.isArray(columns) ? listedQueries(columns, table).map(({ query }) => ({ query, weight })) : [];
  }
  for (const { ask } of CLASSES) {
    const query = ask?.(stated, table);
    if (query) return [{ query, weight }];
  }
  return [];
}

function checkedWeight(weight: unknown): number | undefined {
  if (weight === undefined || (typeof weight === "number" && weight > 0 && weight < Infinity)) return weight;
  throw new StandinError(
    "workload/weight",
    `The workload has a weight of ${shownNumber(weight)}; a weight is a number above 0.`,
    "Leave it out for the weight 1; only ratios of weights matter.",
  );
}

/** Whether an entry is a query of a class that needs more than its columns to be identified. */
function isAsked(entry: QueryJson): entry is QueryJson & { columns: readonly string[] } {
  const { query, columns } = entry;
  return classNamed(query)?.isColumnSet === false && Array.isArray(columns);
}

/** Refuses an entry that states a query of no class, or of one that is named by its columns. */
function expectKnownQuery(entry: readonly string[] | QueryJson, at: number, name: string): void {
  const stated = (entry ?? {}) as QueryJson;
  const { query } = stated;
  if (query === undefined || isAsked(stated)) return;
  const names = CLASSES.filter(({ isColumnSet }) => !isColumnSet).map(({ kind }) => `"${kind}"`);
  throw new StandinError(
    "workload/unknown",
    `Entry ${at + 1} of the ${name} has the query ${shownValue(query)}, which a list cannot have in this form.`,
    `${names.length ? `Queries with "columns" can be ${names.join(", ")}. ` : ""}A column set is written as ["age", "sex"].`,
  );
}

function askedQuery(stated: QueryJson & { columns: readonly string[] }, table: Columns): Query {
  const { attributes } = table;
  const places = placesOf(stated.columns, attributes);
  const inOrder = places.every((place, at) => attributes[place].name === stated.columns[at]);
  const asked = classNamed(stated.query)!;
  const states = asked.states ?? Object.keys(stated);
  const stray = Object.keys(stated).find((name) => name !== "query" && name !== "columns" && !states.includes(name));
  const query = !inOrder
    ? OUT_OF_ORDER
    : stray !== undefined
      ? `with the unknown member ${shownValue(stray)}`
      : asked.parse(stated, places, table);
  if (typeof query !== "string") return query;
  throw new StandinError(
    "workload/query",
    `There is a query "${stated.query}" over [${stated.columns.join(", ")}] ${query}.`,
    inOrder
      ? `Besides "columns" and "weight", it can have ${states.map((name) => `"${name}"`).join(", ")}.`
      : `Write ${JSON.stringify(places.map((place) => attributes[place].name))}.`,
  );
}

function columnsOf(set: readonly string[], attributes: readonly Attribute[]): number[] {
  const columns = placesOf(set, attributes);
  expectFew(columns, attributes);
  return columns;
}

/** @throws {StandinError} `workload/too-many-columns` for sets that cannot be measured together */
export function expectFew(columns: readonly number[], attributes: readonly Attribute[]): void {
  if (columns.length > MAX_ORDER)
    throw new StandinError(
      "workload/too-many-columns",
      `The column set [${columns.map((column) => attributes[column].name).join(", ")}] has ${columns.length} columns; at most ${MAX_ORDER} can be measured together.`,
      "Split it into smaller sets.",
    );
}

/** The indices of named columns, ascending. */
function placesOf(set: readonly string[], attributes: readonly Attribute[]): number[] {
  const columns = Array.from(set, (name) => placeOf(name, attributes)).sort((a, b) => a - b);
  const twice = columns.find((column, at) => column === columns[at - 1]);
  if (twice !== undefined)
    throw new StandinError(
      "workload/column-twice",
      `The column set [${set.join(", ")}] names "${attributes[twice].name}" twice.`,
      "Name each column of a set once.",
    );
  return columns;
}

function placeOf(name: string, attributes: readonly Attribute[]): number {
  const place = attributes.findIndex((attribute) => attribute.name === name);
  if (place < 0)
    throw new StandinError(
      "workload/unknown-column",
      `The workload names the column ${shownValue(name)}, which the schema does not model.`,
      `Modelled columns: ${attributes.map((attribute) => attribute.name).join(", ")}.`,
    );
  return place;
}

/** The number of sets of `size` out of `count` things. */
export function binomial(count: number, size: number): number {
  let sets = 1;
  for (let chosen = 0; chosen < size; chosen++) sets = (sets * (count - chosen)) / (chosen + 1);
  return sets;
}

/** All sets of `size` out of `count` columns, in lexicographic order. */
function combinations(count: number, size: number): number[][] {
  const sets: number[][] = [];
  const grow = (set: number[], next: number) => {
    if (set.length === size) sets.push(set);
    else for (let column = next; column <= count - (size - set.length); column++) grow([...set, column], column + 1);
  };
  grow([], 0);
  return sets;
}
