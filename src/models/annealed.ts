import type { Engines } from "../core/engines.js";
import type { Kernels } from "../core/kernels.js";
import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import { type Attribute, valuesOf } from "../domain/attribute.js";
import { openWasmKernels } from "../gradient/wasm-kernels.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import { RowAnswers } from "../queries/row-answers.js";
import { addUp, drawnCodes, spreadWords } from "./drawn-codes.js";
import { firstShares, oneWayOf } from "./first-shares.js";
import type { FitOptions, FitResult, Model, Observations, SyntheticRows } from "./model.js";
import type { ProductAims } from "./product-targets.js";
import { randomWords } from "./relaxed-rows.js";
import { expectSmooth, type Lines, linesOf, SmoothQueries, smoothColumns } from "./smooth-queries.js";
import { type SmoothAims, SmoothRows } from "./smooth-rows.js";

/** How relaxed rows are fitted. */
export interface AnnealedSettings {
  /** The number of relaxed rows. */
  readonly rows: number;
  /** How steep sigmoids are in the first stage. In each of the next ones they are twice as steep as before. */
  readonly steepness: number;
  /** The number of stages, and the most steps in each of them. */
  readonly stages: number;
  readonly steps: number;
  /** The rate of Adam. */
  readonly rate: number;
}

/** How steep sigmoids are that are thresholds. */
const HARD = 2 ** 24;
/** What the rate is multiplied by from one stage to the next. */
const SLOWER = 0.8;
/** After so many steps, the fit looks at the exact error, and whether the loss still falls by more than this part. */
const LOOK = 25;
const SETTLED = 0.05;
/**
 * The first fit goes through the stages up to so many times, while the exact error falls by more than this part. Each
 * time but the first begins with a later stage. The rows of a release come from a first fit.
 */
const CYCLES = 4;
const FALLEN = 0.1;
const FIRST_AGAIN = 2;
/**
 * Where a column of values has no one-way, these start anywhere, many of them too far from all thresholds for steep
 * sigmoids to have a slope there. The first fit then begins with sigmoids that are no steeper than this.
 */
const FROM_ANYWHERE = 16;
/** The other fits go once through all stages, with few steps at this part of the rate: more would undo the last fit. */
const AGAIN = { stage: 0, steps: LOOK, rate: 0.3 };

/** So many rows are drawn from each relaxed row to answer queries. */
const COPIES = 4;

/** What a step does the most of. */
const KERNEL = "product-queries";

interface Targets extends SmoothAims {
  readonly cells: number;
  /** The squared error that is expected of the true rows. */
  readonly noise: number;
}

/** A fit on its way: where it is, and the shares that have had the least exact error so far. */
interface Run {
  readonly smooth: SmoothRows;
  readonly noise: number;
  readonly startLoss: number;
  step: number;
  least: number;
  best: Float32Array;
}

/**
 * A model of relaxed rows whose numeric columns have values (Vietri et al., "Private Synthetic Data for Multitask
 * Learning and Marginal Queries", NeurIPS 2022). A fit descends, from where the last one ended, towards everything that
 * was measured, with sigmoids in place of thresholds that become steeper stage by stage. What it keeps is what has the
 * least error with thresholds as they are. It ends where that error is what the noise alone makes it for the true rows.
 */
export class AnnealedModel implements Model {
  readonly #attributes: readonly Attribute[];
  readonly #settings: AnnealedSettings;
  readonly #engines: Engines | undefined;
  readonly #workload: readonly Query[] | undefined;
  /** The columns and lines of relaxed rows, from the first fit on. */
  #columns!: readonly Attribute[];
  #lines!: Lines;
  /** What the last fit has found, or the first one starts from. */
  #shares: Float32Array | undefined;
  #fitted!: { readonly total: number; readonly options: FitOptions };
  #answers: RowAnswers | undefined;

  /**
   * @param engines what may do the work; without it, WASM does
   * @param workload all queries that may be measured; without it, those that the first fit is for
   */
  constructor(
    attributes: readonly Attribute[],
    settings: AnnealedSettings,
    engines?: Engines,
    workload?: readonly Query[],
  ) {
    this.#attributes = attributes;
    this.#settings = settings;
    this.#engines = engines;
    this.#workload = workload;
  }

  /** The bytes that it takes at most while queries are measured and answered. */
  static bytes(attributes: readonly Attribute[], rows: number, queries: readonly Query[]): number {
    const columns = smoothColumns(attributes, queries);
    const lines = linesOf(columns);
    const smooth = new SmoothQueries(columns, lines);
    let [products, factors] = [0, 0];
    for (const query of queries)
      for (const { length } of smooth.factorsOf(query)) [products, factors] = [products + 1, factors + length];
    return SmoothRows.bytes(lines, rows, smooth.sigmoids().thresholds.length, products, factors);
  }

  /** @throws {StandinError} `workload/not-smooth`; `engine/memory` */
  async *fit(observed: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    const { measurements, total } = observed;
    this.close();
    const isFirst = !this.#shares;
    if (isFirst) {
      this.#columns = smoothColumns(this.#attributes, this.#workload ?? measurements.map(({ query }) => query));
      this.#lines = linesOf(this.#columns);
    }
    const asked = new Set(measurements.flatMap(({ query }) => query.columns));
    const isUntold = [...asked].some((column) => this.#columns[column].ordered && !oneWayOf(measurements, column));
    const wider = isUntold ? Math.floor(Math.log2(FROM_ANYWHERE / this.#settings.steepness)) : 0;
    const first = isFirst ? Math.min(0, wider) : undefined;
    const targets = targetsOf(measurements, total, new SmoothQueries(this.#columns, this.#lines));
    this.#shares ??= firstShares(this.#columns, this.#lines, this.#settings.rows, options.seed, observed);
    this.#fitted = { total, options };
    const gpu = await this.#engines?.gpuFor(KERNEL, targets.cells * this.#settings.rows);
    if (gpu)
      try {
        return yield* this.#anneal(await gpu.openKernels(), targets, first);
      } catch (error) {
        this.#engines!.finishOnWasm(KERNEL, error);
      }
    return yield* this.#anneal(openWasmKernels(), targets, first);
  }

  /** @param first the stage that a first fit begins with; of other fits undefined */
  async *#anneal(kernels: Kernels, targets: Targets, first: number | undefined): AsyncGenerator<Progress, FitResult> {
    const { rows } = this.#settings;
    const { noise } = targets;
    try {
      const smooth = new SmoothRows(kernels, this.#lines, rows, this.#shares!, targets);
      const startLoss = await smooth.loss(HARD);
      const run: Run = { smooth, noise, startLoss, step: 0, least: startLoss, best: this.#shares! };
      if (first === undefined) yield* this.#stages(run, AGAIN);
      else yield* this.#cycles(run, first);
      this.#shares = run.best;
      const { step, least } = run;
      const why = least <= noise ? "the squared error is no larger than the noise makes it" : "all stages were done";
      const stop = `The search ended after ${thousands(step)} steps: ${why}.`;
      yield { phase: "search", step, loss: least / (startLoss || 1), stop };
      return { startLoss: startLoss * rows ** 2, loss: least * rows ** 2, steps: step, candidates: 0, stop };
    } finally {
      kernels.close();
    }
  }

  /** @param first the stage that the first cycle begins with */
  async *#cycles(run: Run, first: number): AsyncGenerator<Progress, void> {
    const { steps } = this.#settings;
    for (let cycle = 0, before = Number.POSITIVE_INFINITY; cycle < CYCLES; cycle++) {
      if (run.least <= run.noise || run.least > (1 - FALLEN) * before) return;
      before = run.least;
      yield* this.#stages(run, { stage: cycle ? FIRST_AGAIN : first, steps, rate: 1 / (1 + cycle) });
    }
  }

  /** Goes through the stages from one on. */
  async *#stages(run: Run, { stage, steps, rate }: typeof AGAIN): AsyncGenerator<Progress, void> {
    const settings = this.#settings;
    for (let at = Math.min(stage, settings.stages - 1); at < settings.stages; at++)
      yield* this.#stage(run, settings.steepness * 2 ** at, rate * settings.rate * SLOWER ** at, steps);
  }

  /** Descends with sigmoids of one scale until the loss no longer falls. */
  async *#stage(run: Run, scale: number, rate: number, steps: number): AsyncGenerator<Progress, void> {
    const { smooth } = run;
    smooth.restart();
    let before = Number.POSITIVE_INFINITY;
    for (let taken = 0; taken < steps && run.least > run.noise; taken += LOOK) {
      let loss = 0;
      for (let turn = 0; turn < LOOK; turn++) {
        loss = await smooth.loss(scale);
        smooth.descend(rate, scale);
      }
      run.step += LOOK;
      const exact = await smooth.loss(HARD);
      if (exact < run.least) [run.least, run.best] = [exact, await smooth.shares()];
      yield { phase: "search", step: run.step, loss: run.least / run.startLoss };
      if (loss > (1 - SETTLED) * before) return;
      before = loss;
    }
  }

  /** Counts of rows that are drawn from the relaxed ones. */
  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const { total, options } = this.#fitted;
    this.#answers ??= RowAnswers.ofCodes(
      this.#attributes,
      this.#drawn(COPIES * this.#settings.rows, options.seed),
      this.#engines,
    );
    return this.#answers.scaled(queries, total);
  }

  async *tables(count: number): AsyncGenerator<Progress, readonly SyntheticRows[]> {
    const { rows, seed } = this.#fitted.options;
    return Array.from({ length: count }, (_, table) => {
      const own = (seed + table) >>> 0;
      return { codes: this.#drawn(rows, own), seed: own };
    });
  }

  close(): void {
    this.#answers?.drop();
    this.#answers = undefined;
  }

  /** Rows drawn from the relaxed rows, in turn: numeric columns have their values, others a code drawn by its share. */
  #drawn(count: number, seed: number): Uint16Array[] {
    const { rows: relaxed } = this.#settings;
    const shares = this.#shares!.slice();
    return this.#columns.map((attribute, column) => {
      const start = this.#lines.starts[column];
      const words = spreadWords(count, randomWords(relaxed, seed, 1 + column), column);
      if (attribute.ordered) return drawnValues(shares, start, relaxed, words, attribute);
      addUp(shares, start, attribute.size, relaxed);
      return drawnCodes(shares, start, attribute.size, relaxed, words);
    });
  }
}

/** Codes of a numeric column: the one nearest to the next relaxed row's value, or missing, drawn by its share. */
function drawnValues(
  shares: Float32Array,
  start: number,
  relaxed: number,
  words: Uint32Array,
  attribute: Attribute,
): Uint16Array {
  const values = valuesOf(attribute);
  return Uint16Array.from(words, (word, row) => {
    const at = start * relaxed + (row % relaxed);
    const [value, rest] = [shares[at], shares[at + relaxed]];
    if (attribute.missing && word / 2 ** 32 >= value + rest) return values;
    return Math.min(values - 1, Math.round((value / (value + rest || 1)) * values));
  });
}

/** What was measured, as fractions of the rows. Each error counts by the precision of its answer. */
function targetsOf(measurements: readonly Measurement[], total: number, queries: SmoothQueries): Targets {
  const told = measurements.filter(({ query }) => query.columns.length);
  expectSmooth(told.map(({ query }) => query));
  const least = told.reduce((least, { sigma2 }) => Math.min(least, sigma2), Number.POSITIVE_INFINITY);
  const found = new Map<number, { lines: number[]; fractions: number[]; weights: number[] }>();
  for (const { query, answers, sigma2 } of told)
    for (const [at, factors] of queries.factorsOf(query).entries()) {
      // All rows are there, whatever they are.
      if (!factors.length) continue;
      const aims = found.get(factors.length) ?? { lines: [], fractions: [], weights: [] };
      found.set(factors.length, aims);
      aims.lines.push(...factors);
      aims.fractions.push(Math.min(1, Math.max(0, answers[at] / total)));
      aims.weights.push(least / sigma2);
    }
  const products = [...found].map(
    ([order, { lines, fractions, weights }]): ProductAims => ({
      ...{ lines: Uint32Array.from(lines), order },
      ...{ fractions: Float32Array.from(fractions), weights: Float32Array.from(weights) },
    }),
  );
  const cells = products.reduce((sum, { fractions }) => sum + fractions.length, 0);
  return { products, sigmoids: queries.sigmoids(), cells, noise: (cells * least) / total ** 2 };
}
