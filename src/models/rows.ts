import { Engines } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import { optionText } from "../core/option-text.js";
import type { Progress } from "../core/progress.js";
import type { Attribute } from "../domain/attribute.js";
import { Estimates } from "../estimate/estimates.js";
import { dependenceForest } from "../estimate/forest.js";
import { PublicCounts } from "../estimate/public-counts.js";
import { type SearchResult, searchRows, type Target } from "../projection/genetic.js";
import { PAPER, type SearchSettings } from "../projection/settings.js";
import { sampledRows } from "../projection/start.js";
import { isInteraction } from "../queries/interaction.js";
import { type NoisyAnswers, withMergedMembers } from "../queries/members.js";
import { byCode, cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { RowAnswers } from "../queries/row-answers.js";
import type { FitOptions, FitResult, Model, Observations, PublicTable, SyntheticRows } from "./model.js";

/**
 * The two kinds of targets for the rows: estimates from all noisy answers (`shrunk`), or the noisy answers themselves
 * (`raw`).
 */
export type EstimateName = "shrunk" | "raw";

/** More pairs that were not measured, or more cells in them together, take long to search. */
const MOST_PAIRS = 300;
const MOST_CELLS = 2 ** 20;

/** A model that consists of synthetic rows: a fit searches for rows that answer like what was measured. */
export class RowsModel implements Model {
  readonly #attributes: readonly Attribute[];
  readonly #estimate: EstimateName;
  readonly #settings: SearchSettings;
  readonly #publicTable: PublicTable | undefined;
  readonly #publicCounts: PublicCounts | undefined;
  readonly #engines: Engines;
  #fitted:
    | { readonly observations: Observations; readonly options: FitOptions; readonly found: SearchResult }
    | undefined;

  /** The answers of the last fit, created on first use. All candidates are compared with one copy of the rows. */
  #answers: RowAnswers | undefined;

  /**
   * @param publicTable what the first fit is initialised from, in place of rows drawn from the estimates
   * @param engines what may run on a GPU
   */
  constructor(
    attributes: readonly Attribute[],
    estimate: EstimateName,
    settings: SearchSettings,
    publicTable?: PublicTable,
    engines = new Engines("wasm"),
  ) {
    this.#attributes = attributes;
    this.#estimate = estimate;
    this.#settings = settings;
    this.#publicTable = publicTable;
    this.#publicCounts = publicTable && new PublicCounts(attributes, publicTable.codes, publicTable.rows);
    this.#engines = engines;
  }

  /**
   * @throws {StandinError} `options/estimate` where rows would have to match raw answers for groups; `engine/memory`
   */
  async *fit(observations: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    const found = yield* this.#search(observations, options, this.#fitted?.found.codes);
    this.#fitted = { observations, options, found };
    this.close();
    const { startLoss, loss, steps, candidates, stop } = found;
    return { startLoss, loss, steps, candidates, stop };
  }

  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const { observations, found } = this.#fitted!;
    this.#answers ??= RowAnswers.ofCodes(this.#attributes, found.codes, this.#engines);
    return this.#answers.scaled(queries, observations.total);
  }

  /** The rows of the last fit, then rows searched with the seeds that follow its own. */
  async *tables(count: number): AsyncGenerator<Progress, readonly SyntheticRows[]> {
    const { observations, options, found } = this.#fitted!;
    const tables: SyntheticRows[] = [found];
    while (tables.length < count) {
      const seed = (options.seed + tables.length) >>> 0;
      tables.push(yield* this.#search(observations, { ...options, seed }));
    }
    return tables;
  }

  close(): void {
    this.#answers?.drop();
    this.#answers = undefined;
  }

  async *#search(
    { measurements, total, adaptive, leftOut }: Observations,
    { rows, seed }: FitOptions,
    warm?: readonly Uint16Array[],
  ): AsyncGenerator<Progress, SearchResult> {
    const attributes = this.#attributes;
    const settings = this.#settings;
    if (this.#estimate === "raw" && measurements.some(({ query }) => query.groups))
      throw new StandinError(
        "options/estimate",
        "Tables were measured by groups of codes, and rows that match raw answers cannot be compared with those.",
        `Make rows with ${optionText("estimate", "shrunk")}.`,
      );
    const estimates = new Estimates(measurements, attributes, total, this.#publicCounts);
    // In tables of three or more columns that rounds chose, the signal is in single cells, which shrinkage would take
    // for noise.
    const isAsMeasured = (query: Query) =>
      !isInteraction(query) &&
      (this.#estimate === "raw" || (adaptive && query.columns.length > 2) || !isColumnSet(query));
    const estimated = estimates
      .answers(measurements.flatMap(({ query }) => (isAsMeasured(query) ? [] : [query])))
      .values();
    const each = measurements.map(({ query, answers, sigma2 }): Target & NoisyAnswers => {
      const asked = isInteraction(query) ? queryOf(query.columns, attributes) : byCode(query);
      if (!isAsMeasured(query)) return { query: asked, answers: estimated.next().value!, sigma2 };
      // The paper clips each noisy answer to its possible range. That raises empty cells, because their noise stays
      // only where it is positive, so the descent does not clip: this gives lower true errors on every table of the
      // benches.
      return { query: asked, answers: new Float64Array(answers), sigma2, clipped: settings.method === PAPER.method };
    });
    const isUniform = settings.method === PAPER.method;
    const others =
      !leftOut || adaptive || isUniform || this.#estimate === "raw"
        ? []
        : otherPairs(
            measurements.map(({ query }) => query),
            attributes,
          );
    const implied = estimates.answers(others);
    const measured = withMergedMembers(each);
    const targets: readonly Target[] = [...measured, ...others.map((query, at) => ({ query, answers: implied[at] }))];
    const initial = warm ?? (this.#publicTable && sampledRows(this.#publicTable.codes, rows, seed));
    const pairs = isUniform || initial ? [] : measured.map(({ query }) => query).filter(isColumnSet);
    const start = dependenceForest(estimates, pairs);
    estimates.drop();
    return yield* searchRows({
      attributes,
      targets,
      total,
      rows,
      seed,
      settings,
      start,
      warm: initial,
      engines: this.#engines,
    });
  }
}

/**
 * The pairs of measured columns that no measurement has together. If a choice left them out, rows that do not match
 * what is known of them either would depend on each other by chance: in large tables this is more than what independent
 * columns are wrong about (bench/accuracy.md, "Pairs that were not measured").
 */
export function otherPairs(queries: readonly Query[], attributes: readonly Attribute[]): Query[] {
  const sets = queries.filter(isColumnSet);
  const columns = [...new Set(sets.flatMap((query) => query.columns))].sort((a, b) => a - b);
  if ((columns.length * (columns.length - 1)) / 2 > MOST_PAIRS) return [];
  const known = new Set(queries.flatMap((query) => pairsOf(query.columns).map((pair) => pair.join())));
  const others = pairsOf(columns).filter((pair) => !known.has(pair.join()));
  const found = others.map((pair) => queryOf(pair, attributes));
  const cells = found.reduce((sum, query) => sum + cellsOf(query, attributes), 0);
  return cells > MOST_CELLS ? [] : found;
}

const pairsOf = (columns: readonly number[]): number[][] =>
  columns.flatMap((one, at) => columns.slice(at + 1).map((other) => [one, other]));
