import type { Engines } from "../core/engines.js";
import type { Kernels } from "../core/kernels.js";
import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { openWasmKernels } from "../gradient/wasm-kernels.js";
import { asksForCells, expectMarginals } from "../queries/cells.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import { addUp, drawnCodes } from "./drawn-codes.js";
import type { FitOptions, FitResult, Model, Observations, SyntheticRows } from "./model.js";
import {
  type CellTargets,
  type Relaxation,
  RelaxedRows,
  randomParameters,
  randomWords,
  startsOf,
} from "./relaxed-rows.js";

/** How relaxed rows are fitted. */
export interface RelaxedSettings {
  readonly relaxation: Relaxation;
  /** The number of relaxed rows. */
  readonly rows: number;
  /** The most steps of a fit, and the rate of Adam. */
  readonly steps: number;
  readonly rate: number;
}

/** A fit also ends after so many steps in a row that set no record. */
const PATIENCE = 5;

const WHY = {
  noise: "the squared error is no larger than the noise makes it",
  settled: `the squared error has not fallen for ${thousands(PATIENCE)} steps`,
  limit: "these were all that its settings allow",
};

/** The target duration between two reports of progress. */
const SLICE_MS = 50;

/** What a step does the most of. */
const KERNEL = "product-queries";

/**
 * A model of relaxed rows (Aydore et al., "Differentially Private Query Release Through Adaptive Projection", ICML
 * 2021; with softmax, Liu, Vietri and Wu, NeurIPS 2021). A fit descends, from where the last one ended, towards
 * everything that was measured in all rounds, not in the last one alone. It ends where the squared error is what the
 * noise alone makes it for the true rows: the papers go on, and fit the noise (bench/rap.bench.ts).
 */
export class RelaxedModel implements Model {
  readonly #attributes: readonly Attribute[];
  readonly #settings: RelaxedSettings;
  readonly #engines: Engines | undefined;
  #relaxed: RelaxedRows | undefined;
  /** What the last fit has found, or the first one starts from: what is left of it if a GPU is lost. */
  #parameters!: Float32Array;
  #fitted!: { readonly total: number; readonly options: FitOptions };

  /** @param engines what may do the work; without it, WASM does */
  constructor(attributes: readonly Attribute[], settings: RelaxedSettings, engines?: Engines) {
    this.#attributes = attributes;
    this.#settings = settings;
    this.#engines = engines;
  }

  /** The bytes that it takes at most while queries are measured and answered. */
  static bytes(attributes: readonly Attribute[], rows: number, queries: readonly Query[]): number {
    const cells = queries.reduce((sum, query) => sum + cellsOf(query, attributes), 0);
    const order = queries.reduce((most, { columns }) => Math.max(most, columns.length), 0);
    return RelaxedRows.bytes(attributes, rows, cells, order);
  }

  /** @throws {StandinError} `workload/not-marginals`; `engine/memory` */
  async *fit({ measurements, total }: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    const targets = targetsOf(measurements, this.#attributes, total);
    this.#parameters ??= randomParameters(this.#attributes, this.#settings.rows, options.seed);
    this.#fitted = { total, options };
    await this.#open(targets.cells * this.#settings.rows);
    try {
      return yield* this.#descend(this.#relaxed!, targets);
    } catch (error) {
      return yield* this.#descend(this.#again(error), targets);
    }
  }

  /** Takes the rows to the engine that suits a step with so many elements. */
  async #open(elements: number): Promise<void> {
    const gpu = await this.#engines?.gpuFor(KERNEL, elements);
    if (this.#relaxed?.engine === (gpu ? "webgpu" : "wasm")) return;
    try {
      this.#take(gpu ? await gpu.openKernels() : openWasmKernels());
    } catch (error) {
      this.#again(error);
    }
  }

  /** What the last fit has found, on WASM. @throws the error, if it is not the GPU's */
  #again(error: unknown): RelaxedRows {
    if (!this.#engines) throw error;
    this.#engines.finishOnWasm(KERNEL, error);
    return this.#take(openWasmKernels());
  }

  #take(kernels: Kernels): RelaxedRows {
    this.close();
    const { relaxation, rows } = this.#settings;
    this.#relaxed = new RelaxedRows(kernels, this.#attributes, relaxation, rows, this.#parameters);
    return this.#relaxed;
  }

  /** Asks the rows, once more if a GPU is lost. */
  async #surely<T>(ask: (relaxed: RelaxedRows) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#relaxed!);
    } catch (error) {
      return ask(this.#again(error));
    }
  }

  async *#descend(relaxed: RelaxedRows, { targets, noise }: Targets): AsyncGenerator<Progress, FitResult> {
    const { rows, steps, rate } = this.#settings;
    relaxed.aim(targets);
    const startLoss = await relaxed.loss();
    let [step, loss, least, worse] = [0, startLoss, startLoss, 0];
    let told = Date.now();
    while (loss > noise && worse <= PATIENCE && step < steps) {
      relaxed.descend(rate);
      step++;
      loss = await relaxed.loss();
      worse = loss < least ? 0 : worse + 1;
      least = Math.min(least, loss);
      if (Date.now() - told < SLICE_MS) continue;
      yield { phase: "search", step, loss: loss / (startLoss || 1) };
      told = Date.now();
    }
    const why = loss <= noise ? WHY.noise : step < steps ? WHY.settled : WHY.limit;
    const stop = `The search ended after ${thousands(step)} steps: ${why}.`;
    yield { phase: "search", step, loss: loss / (startLoss || 1), stop };
    this.#parameters = await relaxed.parameters();
    return { startLoss: startLoss * rows ** 2, loss: loss * rows ** 2, steps: step, candidates: 0, stop };
  }

  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const { total } = this.#fitted;
    const found: Int32Array[] = [];
    for (const query of queries)
      found.push(
        Int32Array.from(await this.#surely((relaxed) => relaxed.answers(query)), (part) => Math.round(part * total)),
      );
    return found;
  }

  /**
   * Rows drawn from the relaxed rows, in turn, so that all of these are drawn from equally often: the code of each
   * column by its shares. Every table has a seed of its own.
   */
  async *tables(count: number): AsyncGenerator<Progress, readonly SyntheticRows[]> {
    const { rows, seed } = this.#fitted.options;
    const starts = startsOf(this.#attributes);
    const sums = await this.#surely((relaxed) => relaxed.shares());
    const relaxed = this.#relaxed!.rows;
    for (const [column, { size }] of this.#attributes.entries()) addUp(sums, starts[column], size, relaxed);
    return Array.from({ length: count }, (_, table) => {
      const own = (seed + table) >>> 0;
      const codes = this.#attributes.map(({ size }, column) =>
        drawnCodes(sums, starts[column], size, relaxed, randomWords(rows, own, 1 + column)),
      );
      return { codes, seed: own };
    });
  }

  close(): void {
    this.#relaxed?.close();
    this.#relaxed = undefined;
  }
}

interface Targets {
  /** By the number of columns. */
  readonly targets: readonly CellTargets[];
  readonly cells: number;
  /**
   * The squared error that is expected of the true rows. Answers below 0 are cut off, and of empty cells, which most of
   * them belong to, they are then right.
   */
  readonly noise: number;
}

/**
 * What was measured, as fractions of the rows. Fractions that rows cannot have are cut off, and each error counts by
 * the precision of its answer.
 */
function targetsOf(measurements: readonly Measurement[], attributes: readonly Attribute[], total: number): Targets {
  const told = measurements.filter(({ query }) => query.columns.length);
  expectMarginals(
    told.map(({ query }) => query),
    attributes,
    asksForCells,
  );
  const least = told.reduce((least, { sigma2 }) => Math.min(least, sigma2), Number.POSITIVE_INFINITY);
  const orders = [...new Set(told.map(({ query }) => query.columns.length))];
  const targets = orders.map((order) => {
    const some = told.filter(({ query }) => query.columns.length === order);
    return {
      queries: some.map(({ query }) => query),
      fractions: Float32Array.from(
        some.flatMap(({ answers }) => Array.from(answers, (answer) => Math.min(1, Math.max(0, answer / total)))),
      ),
      weights: Float32Array.from(
        some.flatMap(({ answers, sigma2 }) => new Array<number>(answers.length).fill(least / sigma2)),
      ),
    };
  });
  const cells = told.reduce((sum, { answers }) => sum + answers.length, 0);
  const noisy = told.reduce((sum, { answers }) => sum + answers.filter((answer) => answer > 0).length, 0);
  return { targets, cells, noise: (noisy * least) / total ** 2 };
}
