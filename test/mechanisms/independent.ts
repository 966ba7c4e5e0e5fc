// Mechanisms as a maintainer would add them. The first measures one-ways, then the pair that independent columns
// fit worst, chosen by the exponential mechanism; its rows have independent columns. The second makes two tables from
// each release, and the third needs public rows.
import { finished } from "../../src/core/progress.js";
import type { Attribute } from "../../src/domain/attribute.js";
import { Estimates } from "../../src/estimate/estimates.js";
import type { CheckedOptions, Mechanism } from "../../src/mechanisms/mechanism.js";
import type { FitOptions, Model, Observations } from "../../src/models/model.js";
import { candidateAt, candidateGroups } from "../../src/privacy/candidates.js";
import { measurementItem, openItem, type SelectionItem, selectionItem } from "../../src/privacy/items.js";
import { isQueryItem } from "../../src/privacy/ledger.js";
import { startColumns } from "../../src/projection/start.js";
import type { Query } from "../../src/queries/query.js";
import { allPlaces, chosen, measured, scoredBy } from "../../src/selection/draw.js";
import { observationsInRounds, sensitivityTerms } from "../../src/selection/problem.js";
import { columnsOf, setsOf } from "../../src/selection/rounds.js";
import { sharesOf } from "../../src/selection/selection.js";
import { Engine } from "../engine.js";

class IndependentColumns implements Model {
  constructor(readonly attributes: readonly Attribute[]) {}
  estimates!: Estimates;
  size!: FitOptions;

  *fit({ measurements, total }: Observations, size: FitOptions) {
    this.estimates = new Estimates(measurements, this.attributes, total);
    this.size = size;
    yield { phase: "search" as const, step: 1, loss: 0 };
    return { startLoss: 0, loss: 0, steps: 1, candidates: 0, stop: "Independent columns need no search." };
  }

  async answers(queries: readonly Query[]) {
    return this.estimates.implied(queries, 2 ** 30).map(({ targets }) => targets);
  }

  close() {
    this.estimates?.drop(); // there are none if the run ends before a fit
  }

  *tables(count: number) {
    return Array.from({ length: count }, (_, table) => drawnRows(this, this.size.seed + table));
  }
}

export const independent: Mechanism = {
  name: "independent",
  table: {},
  options: () => ({ estimate: "one-ways", search: {} }) as unknown as CheckedOptions,
  price(problem) {
    const [oneWays, pairs, terms] = [columnsOf(problem), setsOf(problem), sensitivityTerms(problem)];
    const candidates = candidateGroups(pairs);
    const share = sharesOf(problem.budget.budget, oneWays.length + 2)(1);
    const choice = [
      selectionItem(candidates, { score: "l1", picks: 1 }, share, terms),
      openItem(candidates, share, terms),
    ];
    const items = [...oneWays.map((query) => measurementItem(query, share, terms)), ...choice];
    return { items, candidates, measured: [...oneWays, ...pairs] };
  },
  async *draws({ problem, ledger: { items, candidates }, model, seed, signal }) {
    const oneWays = yield* measured(items.filter(isQueryItem), { keep: true });
    const [choice, { share }] = items.slice(oneWays.length);
    await finished(model.fit(observationsInRounds(problem, oneWays), { rows: 1, seed }), { signal });
    const among = scoredBy(model, candidates, allPlaces(candidates), problem.attributes);
    const [number] = yield* chosen(choice as SelectionItem, among);
    yield* measured([measurementItem(candidateAt(candidates, number), share, sensitivityTerms(problem))]);
  },
  tables: () => 1,
  model: ({ attributes }) => new IndependentColumns(attributes),
  memory: () => 0,
};

export const twoTables: Mechanism = { ...independent, name: "two-tables", tables: () => 2 };

export const fromPublic: Mechanism = { ...independent, name: "from-public", publicTable: "required" };

/** Columns in the proportions of their one-ways, each drawn on its own. */
function drawnRows({ attributes, estimates, size: { rows } }: IndependentColumns, seed: number) {
  const instance = new Engine();
  const places = attributes.map(() => instance.alloc(2 * rows));
  const start = estimates.oneWays().map((counts, column) => ({
    ...{ column, weights: counts.map((count) => Math.max(0, count)) },
  }));
  const sizes = attributes.map(({ size }) => size);
  startColumns(instance, start, places, sizes, rows, seed);
  return {
    codes: places.map((place) => instance.u16(place, rows).slice()),
    seed,
  };
}
