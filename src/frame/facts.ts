import { StandinError } from "../core/errors.js";
import { isObject } from "../notation/validate.js";
import {
  countsOf,
  measurementItem,
  measurementJson,
  type SensitivityTerms,
  selectionJson,
  sigma2Of,
} from "../privacy/items.js";
import { isQueryItem, type Ledger } from "../privacy/ledger.js";
import { classOf, isColumnSet, keyOf, parseQuery } from "../queries/query.js";
import { fineColumns } from "../schema/refine.js";
import type { Schema } from "../schema/schema.js";
import { choiceFacts } from "./choices.js";
import { type ClassCandidates, candidatesByClass, haveOtherClasses } from "./classes.js";
import type { Plan } from "./plan.js";
import { publicTableFacts } from "./public-table.js";
import { guaranteeOf, type ReleasedItem, type ReleaseFacts } from "./release.js";
import { contradictionOf, MOST_ROWS } from "./release-checks.js";

/** The facts of a release that come neither from its plan nor from a draw. */
export interface OutputFacts {
  /** The columns of the table, in order, and its field separator. */
  readonly names: readonly string[];
  readonly delimiter: string;
  /** The number of rows requested. */
  readonly rows: number | undefined;
  readonly seed: number;
  /** Whether any of the noise is drawn under a known key. */
  readonly noiseIsKnown: boolean;
}

/** Which columns' rows have finer codes than cells, to be spread among facts; none if there are no such columns. */
export function fineFacts(schema: Schema): { fine?: readonly string[] } {
  const fine = fineColumns(schema);
  return fine.length ? { fine } : {};
}

/** The name of the target, to be spread among facts; none if there is no target. */
export function targetFacts({ target, attributes }: Plan["problem"]): { target?: string } {
  return target === undefined ? {} : { target: attributes[target].name };
}

/** How many candidates each class has, to be spread among facts, where there are any besides column sets. */
function candidateFacts(ledger: Ledger): { candidates?: ClassCandidates } {
  const candidates = candidatesByClass(ledger);
  return candidates && haveOtherClasses(Object.keys(candidates)) ? { candidates } : {};
}

/** The facts of a release of this plan. @param total N̂ or the declared n */
export function factsOf(
  { mechanism, facts, problem, schema, ledger }: Plan,
  total: number,
  { names, delimiter, rows, seed, noiseIsKnown }: OutputFacts,
): ReleaseFacts {
  const { estimate, search } = problem.options;
  return {
    mechanism,
    estimate,
    ...facts,
    ...targetFacts(problem),
    ...fineFacts(schema),
    ...candidateFacts(ledger),
    ...choiceFacts(ledger, schema),
    neighbours: ledger.neighbours,
    publicRows: ledger.publicRows,
    ...publicTableFacts(problem.publicTable),
    epsilon: ledger.epsilon,
    delta: ledger.delta,
    rho: ledger.rho,
    columns: names,
    delimiter,
    total,
    rows: rows ?? Math.min(MOST_ROWS, Math.max(1, Math.round(total))),
    search: { seed, ...search },
    ...guaranteeOf(ledger, schema, noiseIsKnown),
  };
}

/** Whether the facts of an unfinished release are those of the plan that its request produces. */
export function isOfPlan(facts: ReleaseFacts, plan: Plan): boolean {
  const { delimiter, total, search } = facts;
  const asked = { names: facts.columns, delimiter, rows: facts.rows, seed: Number(search.seed), noiseIsKnown: false };
  // The guarantee follows from the other facts and from whether the noise is known.
  const textOf = (stated: ReleaseFacts) =>
    JSON.stringify(sorted({ ...stated, guarantee: undefined, noGuarantee: undefined, unfinished: undefined }));
  return textOf(factsOf(plan, total, asked)) === textOf(facts);
}

/** The members of an object, and of objects in it, sorted by name. Undefined members are left out. */
function sorted(value: object): object {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, of]) => [name, isObject(of) ? sorted(of) : of]));
}

/**
 * Verifies, before anything is spent, that a release of this plan can be read back: its facts and all items that it
 * would draw, whatever their answers.
 * @throws {StandinError} `release/unreadable`: never, unless this package has a bug
 */
export function expectReadable(plan: Plan): void {
  const { schema, ledger } = plan;
  const names = schema.fields.filter(({ role }) => role !== "drop").map(({ name }) => name);
  const asked = { names, delimiter: ",", rows: undefined, seed: 0, noiseIsKnown: false };
  const facts = factsOf(plan, ledger.publicRows ?? 0, asked);
  const contradiction = misread(plan) ?? contradictionOf(facts, plannedItems(plan), schema);
  if (contradiction)
    throw new StandinError(
      "release/unreadable",
      `A release of this plan could not be read back: it ${contradiction}. This is a bug in standin; nothing was spent.`,
      "Please report it, with the options and the schema of the plan.",
    );
}

/** What is wrong if a query that a plan measures, or chooses from, is not the same once it is read from JSON. */
function misread({ schema, ledger }: Plan): string | undefined {
  const measured = ledger.items.filter(isQueryItem).map(({ query }) => query);
  const stated = [...measured, ...ledger.candidates.flatMap(({ query, one }) => [query, one])].filter(
    (query) => !isColumnSet(query),
  );
  for (const query of stated) {
    const json = { query: query.kind, ...classOf(query).json(query) };
    const read = parseQuery(JSON.parse(JSON.stringify(json)), query.columns, schema);
    if (typeof read === "string" || keyOf(read) !== keyOf(query)) return `has a query "${query.kind}" that changes`;
  }
}

/**
 * The items that a plan would draw, without answers. Selections choose one candidate after the other, from the first
 * on again after the last, and open queries are taken to be as large as the largest.
 */
function plannedItems({ schema, ledger }: Plan): ReleasedItem[] {
  const terms: SensitivityTerms = { schema, neighbours: ledger.neighbours, unit: ledger.unit };
  const largest = (item: { partitions: number; free: number }) =>
    ledger.candidates.find(({ one }) => {
      const { partitions, free } = countsOf(one, schema.attributes);
      return partitions === item.partitions && free === item.free;
    })!.one;
  let next = 0;
  return [...ledger.items, ...ledger.shown].map((item) => {
    if (item.kind === "selection")
      return { item: selectionJson(item), chosen: Array.from({ length: item.picks }, () => next++ % item.candidates) };
    const known = isQueryItem(item) ? item : measurementItem(largest(item), item.share, terms);
    const measurement = { query: known.query, answers: new Int32Array(), sigma2: sigma2Of(known) };
    return { item: measurementJson(known, schema), measurement };
  });
}
