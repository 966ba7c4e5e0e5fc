import { StandinError } from "../core/errors.js";
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

/** Sets of columns, by name, and other queries. */
export type QueryList = readonly (readonly string[] | WorkloadQuery)[];

/**
 * The queries of a workload, in a fixed order. For k-way, sets are in lexicographic order of the columns' positions in
 * the schema; for a list, in the order given. Repeated and permuted sets are merged.
 * @param more queries that follow those of the workload
 * @throws {StandinError} `workload/…`: not a workload, no modelled column, an unknown column, a column twice in one
 * set, too many sets, a query that its class does not recognise, an expression that does not fit the table
 */
export function workloadQueries(workload: Workload, table: Columns, more?: QueryList): Query[] {
  const { attributes } = table;
  if (!attributes.length)
    throw new StandinError(
      "workload/no-columns",
      "The schema models no column, so there is nothing to measure.",
      'Give at least one field the role "model".',
    );
  const queries =
    typeof workload === "string"
      ? allOf(workload, attributes.length).map((columns) => queryOf(columns, attributes))
      : listed(workload, table);
  if (more === undefined) return queries;
  return [...new Map([...queries, ...listed(more, table)].map((query) => [keyOf(query), query])).values()];
}

function orderOf(workload: string): number {
  const order = /^([1-9]\d*)-way$/.exec(workload)?.[1];
  if (!order || Number(order) > MAX_ORDER)
    throw new StandinError(
      "workload/unknown",
      `"${workload}" is not a workload.`,
      `Use "1-way", "2-way", … "${MAX_ORDER}-way", or a list of column sets such as [["age", "sex"], ["age"]].`,
    );
  return Number(order);
}

function allOf(workload: string, columns: number): number[][] {
  const order = Math.min(orderOf(workload), columns);
  const count = binomial(columns, order);
  if (count > MOST_SETS)
    throw new StandinError(
      "workload/too-large",
      `The workload ${workload} of ${columns} columns has ${thousands(count)} column sets; at most ${thousands(MOST_SETS)} can be measured.`,
      "Leave columns out (role drop), list the sets that matter, or use a smaller workload.",
    );
  return combinations(columns, order);
}

function listed(entries: readonly (readonly string[] | QueryJson)[], table: Columns): Query[] {
  if (Array.isArray(entries)) entries.forEach(expectKnownQuery);
  const queries = Array.isArray(entries) ? Array.from(entries, (entry) => listedQuery(entry, table)) : [];
  if (!queries.length || queries.includes(undefined))
    throw new StandinError(
      "workload/unknown",
      "A workload is a list of column sets with at least one column each.",
      'Write it as [["age", "sex"], ["age", "income"]].',
    );
  return [...new Map((queries as Query[]).map((query) => [keyOf(query), query])).values()];
}

/** The query of an entry; `undefined` if it is none. */
function listedQuery(entry: readonly string[] | QueryJson, table: Columns): Query | undefined {
  if (Array.isArray(entry))
    return entry.length ? queryOf(columnsOf(entry, table.attributes), table.attributes) : undefined;
  const stated = (entry ?? {}) as QueryJson;
  if (isAsked(stated)) return askedQuery(stated, table);
  for (const { ask } of CLASSES) {
    const query = ask?.(stated, table);
    if (query) return query;
  }
  return undefined;
}

/** Whether an entry is a query of a class that needs more than its columns to be identified. */
function isAsked(entry: QueryJson): entry is QueryJson & { columns: readonly string[] } {
  const { query, columns } = entry;
  return classNamed(query)?.isColumnSet === false && Array.isArray(columns);
}

/** Refuses an entry that states a query of no class, or of one that is named by its columns. */
function expectKnownQuery(entry: readonly string[] | QueryJson, at: number): void {
  const stated = (entry ?? {}) as QueryJson;
  const { query } = stated;
  if (query === undefined || isAsked(stated)) return;
  const names = CLASSES.filter(({ isColumnSet }) => !isColumnSet).map(({ kind }) => `"${kind}"`);
  throw new StandinError(
    "workload/unknown",
    `Entry ${at + 1} of the workload has the query ${JSON.stringify(query)}, which a workload cannot have in this form.`,
    `${names.length ? `Queries with "columns" can be ${names.join(", ")}. ` : ""}A column set is written as ["age", "sex"].`,
  );
}

function askedQuery(stated: QueryJson & { columns: readonly string[] }, table: Columns): Query {
  const { attributes } = table;
  const places = placesOf(stated.columns, attributes);
  const inOrder = places.every((place, at) => attributes[place].name === stated.columns[at]);
  const query = inOrder ? classNamed(stated.query)!.parse(stated, places, table) : OUT_OF_ORDER;
  if (typeof query !== "string") return query;
  throw new StandinError(
    "workload/query",
    `The workload has a query "${stated.query}" over [${stated.columns.join(", ")}] ${query}.`,
    "Write it as release.json would.",
  );
}

function columnsOf(set: readonly string[], attributes: readonly Attribute[]): number[] {
  const columns = placesOf(set, attributes);
  if (columns.length > MAX_ORDER)
    throw new StandinError(
      "workload/too-many-columns",
      `The column set [${set.join(", ")}] has ${columns.length} columns; at most ${MAX_ORDER} can be measured together.`,
      "Split it into smaller sets.",
    );
  return columns;
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
      `The workload names the column "${name}", which the schema does not model.`,
      `Modelled columns: ${attributes.map((attribute) => attribute.name).join(", ")}.`,
    );
  return place;
}

/** The number of sets of `size` out of `count` things. */
function binomial(count: number, size: number): number {
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
