import { type Attribute, codesOf } from "../domain/attribute.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";
import { byCode } from "../queries/query.js";
import { writeQueries } from "../queries/struct.js";
import { candidateCount } from "./candidates.js";
import { isQueryItem, type Ledger } from "./ledger.js";

/**
 * The most engine memory in bytes that a vault takes for a table of so many rows, counted in one instance. Plans state
 * it, and have no handle to the vault.
 */
export function vaultBytes(
  { unit, items, shown, cap, candidates }: Pick<Ledger, "unit" | "items" | "shown" | "cap" | "candidates">,
  attributes: readonly Attribute[],
  rows: number,
): number {
  const drawn = [...items, ...shown];
  const measured = drawn.filter(isQueryItem).map(({ query }) => byCode(query));
  const selections = drawn.flatMap((item) => (item.kind === "selection" ? [item] : []));
  const chosen = selections.reduce((most, { picks }) => Math.max(most, picks), 0);
  // A rule may choose any number of them.
  const picks = cap === undefined ? chosen : candidateCount(candidates);
  // Members of sets that are chosen together are measured together. What is chosen by its sign is not measured.
  const isMeasured = selections.some(({ score }) => score !== "signed");
  const members = candidates.flatMap(({ one, count }) =>
    count > 1 && isMeasured ? new Array(Math.min(count, picks)).fill(one) : [],
  );
  // A marginal's cells and their complements have the same counts.
  const compared = new Set(candidates.map(({ query }) => query));
  const queries = [...measured, ...members, ...compared];
  const ofPersons = unit !== "row" && unit.column !== undefined;
  const engine = workbench();
  return engine.scratch(() =>
    engine.exports.vaultBytes(
      ...([writeQueries(engine, queries, attributes), queries.length, compared.size] as const),
      ...([candidateCount(candidates), picks, attributes.length] as const),
      ...([rows, Number(ofPersons), loadingBytes(attributes, rows)] as const),
    ),
  );
}

/** The most bytes per stored code, and of what `runsOpen` writes down for a grid. */
const MOST_WIDTH = 8;
const RUNS = 2 * 65_537 + 64;

/**
 * The most that writing the codes of one column takes: a block of stored codes and, for grids, where each code begins.
 */
function loadingBytes(attributes: readonly Attribute[], rows: number): number {
  const starts = attributes.reduce(
    (most, attribute) => Math.max(most, attribute.ordered ? 8 * codesOf(attribute) + RUNS : 0),
    0,
  );
  return MOST_WIDTH * Math.min(rows, BLOCK_ROWS) + starts;
}
