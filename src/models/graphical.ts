import { StandinError } from "../core/errors.js";
import { optionText } from "../core/option-text.js";
import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Estimates } from "../estimate/estimates.js";
import { type LeastSquares, leastSquares } from "../estimate/least-squares.js";
import { CalibratedTree } from "../graphical/calibrated-tree.js";
import { Contractions, cellsOver } from "../graphical/contraction.js";
import { type DescentResult, type DescentSettings, fitTree, type NoisyMarginal } from "../graphical/fit.js";
import { noisyMarginals, type Resolution, resolutionsOf, summed } from "../graphical/resolution.js";
import { codesOfCells, treeRows } from "../graphical/rows.js";
import { junctionTree, junctionTreeCells } from "../graphical/triangulation.js";
import { isInteraction } from "../queries/interaction.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import { writeGrouped } from "../queries/struct.js";
import type { FitOptions, FitResult, Model, Observations, SyntheticRows } from "./model.js";

/** How graphical models are fitted, and how large their tables may be together. */
export interface GraphicalSettings extends DescentSettings {
  readonly megabytes: number;
}

/** The part of a measured column that is spread evenly at the start: codes without rows could never get any. */
const EVEN = 1e-3;
/** Trees with more cells are fitted in stages, each with a tree that is smaller by this factor than the next. */
const MANY_CELLS = 1 << 17;
const SMALLER = 4;
/** Fits that start from the last one settle sooner, by this factor of the tolerance: only choices depend on them. */
const SOONER = 3;
/**
 * A marginal is fitted too loosely if its mean square distance from least-squares answers is more than this many times
 * their variance. It gets a weight larger by the factor STRESS then, in so many rounds at most. (`bench compare`: at 1,
 * distances between tables grow by a third; at 2, they stay.)
 */
const FAR = 2;
const STRESS = 4;
const MOST_ROUNDS = 6;
/** The largest answer. */
const MOST_ANSWER = 2 ** 30;

/**
 * A graphical model (McKenna, Sheldon and Miklau, "Graphical-model based estimation and inference for differential
 * privacy", ICML 2019): of all distributions whose marginals have the least squared error against what was measured,
 * weighted by inverse variance, the one that adds no dependence of its own.
 */
export class GraphicalModel implements Model {
  readonly #attributes: readonly Attribute[];
  readonly #settings: GraphicalSettings;
  #tree: CalibratedTree | undefined;
  #resolutions: readonly Resolution[] = [];
  /** For each column with groups of codes, the part of its cell that each code has. */
  #shares: readonly Float64Array[] = [];
  #options!: FitOptions;
  /** What the last fit was fitted to, and the log-potentials that it ended with. */
  #last: { readonly noisy: readonly NoisyMarginal[]; readonly potentials: Float64Array } | undefined;

  constructor(attributes: readonly Attribute[], settings: GraphicalSettings) {
    this.#attributes = attributes;
    this.#settings = settings;
  }

  /** The bytes that it takes at most with so many rows, and tables with at most so many cells. */
  static bytes(attributes: readonly Attribute[], queries: readonly Query[], rows: number, most: number): number {
    const sizes = attributes.map(({ size }) => size);
    const tree = Math.min(
      most,
      junctionTreeCells(
        queries.map(({ columns }) => columns),
        sizes,
      ),
    );
    const measured = queries.reduce((sum, query) => sum + cellsOf(query, attributes), 0);
    // Of each clique two copies and its separators'; of each measured cell seven numbers; of a row its codes, and those
    // of a column with its group and its place.
    return BYTES * (4 * tree + 7 * measured) + rows * (2 * attributes.length + 10);
  }

  /** @throws {StandinError} `workload/not-marginals`, `options/megabytes`; `engine/memory` */
  async *fit({ measurements, total }: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    this.#options = options;
    this.#resolutions = resolutionsOf(measurements, this.#attributes);
    const sizes = this.#resolutions.map(({ cells }) => cells);
    const isLeastSquares = measurements.some(({ query }) => isInteraction(query));
    const noisy = isLeastSquares
      ? leastSquares(measurements, this.#attributes, total).map(weighted)
      : noisyMarginals(measurements, this.#resolutions);
    const sets = noisy.map(({ columns }) => columns);
    expectRoom(junctionTreeCells(sets, sizes), this.#settings.megabytes);
    const oneWays = this.#oneWays(measurements, total);
    const settings = this.#last ? { ...this.#settings, tolerance: SOONER * this.#settings.tolerance } : this.#settings;
    let fitted: DescentResult | undefined;
    let steps = 0;
    for (const count of this.#last ? [sets.length] : stagesOf(sets, sizes)) {
      fitted = yield* this.#fitTo(noisy.slice(0, count), sizes, total, oneWays, settings);
      steps += fitted.steps;
    }
    let { startLoss, squares, isSettled } = fitted!;
    // All marginals together may be within their noise, and a small one far outside of its own.
    const stress = noisy.map(() => 1);
    for (let round = 0; isLeastSquares && round < MOST_ROUNDS; round++) {
      const far = squares.flatMap((square, at) => (square > FAR * noisy[at].answers.length ? [at] : []));
      if (!far.length) break;
      for (const at of far) stress[at] *= STRESS;
      const stressed = noisy.map((marginal, at) => ({
        ...marginal,
        weights: marginal.weights.map((w) => w * stress[at]),
      }));
      const again = yield* this.#fitTo(stressed, sizes, total, oneWays, settings);
      steps += again.steps;
      isSettled = again.isSettled;
      squares = again.squares.map((square, at) => square / stress[at]);
    }
    const loss = squares.reduce((a, b) => a + b, 0) / 2;
    const cells = noisy.reduce((sum, { answers }) => sum + answers.length, 0);
    const isWithin = 2 * loss <= this.#settings.noise * cells;
    const settled = isWithin ? "answers are as close as noise alone would leave them" : "the loss has settled";
    const why = isSettled ? settled : "these were all that its settings allow";
    const stop = `The search ended after ${thousands(steps)} steps: ${why}.`;
    yield { phase: "search", step: steps, loss: loss / (startLoss || 1), stop };
    // As squared errors in rows of the fitted table, if all answers had the smallest variance.
    const least = measurements.reduce((least, { sigma2 }) => Math.min(least, sigma2), Number.POSITIVE_INFINITY);
    const scale = 2 * least * (options.rows / total) ** 2;
    return { startLoss: startLoss * scale, loss: loss * scale, steps, candidates: 0, stop };
  }

  /** Fits a new tree to some marginals, from where the last fit ended. */
  *#fitTo(
    noisy: readonly NoisyMarginal[],
    sizes: readonly number[],
    total: number,
    oneWays: readonly Float64Array[],
    settings: GraphicalSettings,
  ): Generator<Progress, DescentResult> {
    this.close();
    const sets = noisy.map(({ columns }) => columns);
    const tree = new CalibratedTree(junctionTree(sets, sizes), sizes, total);
    this.#tree = tree;
    tree.startIndependent(oneWays);
    const fitted = yield* fitTree(tree, noisy, settings, this.#start(noisy));
    this.#last = { noisy, potentials: fitted.potentials };
    return fitted;
  }

  /**
   * The log-potentials of the last fit, if what it was fitted to is the beginning of what this one is. Those of a
   * marginal may all be lowered by the same number, and then none is above 0.
   */
  #start(noisy: readonly NoisyMarginal[]): Float64Array {
    const { noisy: before, potentials } = this.#last ?? { noisy: [], potentials: new Float64Array() };
    const isLonger = before.every(({ columns, answers }, at) => {
      const now = noisy[at];
      return now?.columns.join() === columns.join() && now.answers.length === answers.length;
    });
    if (!isLonger) return new Float64Array();
    let at = 0;
    for (const { answers } of before) {
      const own = potentials.subarray(at, at + answers.length);
      const most = own.reduce((a, b) => Math.max(a, b));
      for (let cell = 0; cell < own.length; cell++) own[cell] -= most;
      at += own.length;
    }
    return potentials;
  }

  /** The counts of each column's cells to start from. As a side effect, sets the shares of codes in their cells. */
  #oneWays(measurements: readonly Measurement[], total: number): Float64Array[] {
    const estimates = new Estimates(measurements, this.#attributes, total);
    const oneWays = estimates.oneWays();
    estimates.drop();
    const measured = new Set(measurements.flatMap(({ query }) => query.columns));
    this.#shares = oneWays.map((counts, column) => sharesOf(counts, this.#resolutions[column]));
    return oneWays.map((counts, column) => {
      const cells = summed(counts, this.#resolutions[column]);
      if (!measured.has(column)) return cells;
      return cells.map((count) => (1 - EVEN) * count + (EVEN * total) / cells.length);
    });
  }

  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const tree = this.#tree!;
    const { engine } = tree;
    return engine.scratch(() => {
      const plan = new Contractions(engine, tree.sizes);
      const tables = queries.map(({ columns }) => tree.marginal(plan, columns).pointer);
      plan.run();
      const cells = queries.map((query) => cellsOf(query, this.#attributes));
      const targets = engine.reserve(cells.map((count) => 4 * count));
      const calls = new Calls(engine);
      for (const [at, query] of queries.entries())
        calls.add("chanceTargets", this.#byCode(calls, query, tables[at]), cells[at], MOST_ANSWER, targets[at]);
      calls.run();
      return engine.readAll(targets, cells, Int32Array);
    });
  }

  /** Plans a table's counts by code, from those by cell. */
  #byCode(calls: Calls, { kind, columns }: Query, table: number): number {
    const { engine, sizes } = this.#tree!;
    const groups = columns.map((column) => this.#resolutions[column].cellOf);
    if (groups.every((map) => !map)) return table;
    const codeSizes = this.#attributes.map(({ size }) => size);
    const plan = new Contractions(engine, codeSizes);
    const counts = plan.table(columns);
    const factors = columns.map((column) => ({ pointer: engine.place(this.#shares[column]), columns: [column] }));
    plan.add({ columns, factors, sums: [], table: counts.pointer });
    plan.run();
    const [{ byCode, groups: placed }] = writeGrouped(engine, [{ kind, columns, groups }], this.#attributes);
    const held = engine.alloc(8 * cellsOver(columns, sizes));
    calls.add("sumGroups", byCode, ...placed!, counts.pointer, held);
    calls.add("scaleGroups", byCode, ...placed!, counts.pointer, held, table);
    return counts.pointer;
  }

  /** Every table has a seed of its own. */
  async *tables(count: number): AsyncGenerator<Progress, readonly SyntheticRows[]> {
    const { rows, seed } = this.#options;
    const tree = this.#tree!;
    return Array.from({ length: count }, (_, table) => {
      const own = (seed + table) >>> 0;
      const cells = treeRows(tree, rows, own);
      const codes = codesOfCells(tree.engine, cells, this.#resolutions, this.#shares, own);
      return { codes, seed: own };
    });
  }

  close(): void {
    this.#tree?.drop();
    this.#tree = undefined;
  }
}

/**
 * How many of the first sets each of several fits is for, the last one for all. Where the tree is large, a fit that
 * starts from that of a smaller tree takes fewer steps.
 */
function stagesOf(sets: readonly (readonly number[])[], sizes: readonly number[]): number[] {
  const stages = [sets.length];
  let cells = junctionTreeCells(sets, sizes);
  for (let count = sets.length - 1; count > 0 && cells > MANY_CELLS; count--) {
    const fewer = junctionTreeCells(sets.slice(0, count), sizes);
    if (fewer * SMALLER > cells) continue;
    stages.unshift(count);
    cells = fewer;
  }
  return stages;
}

/** The part of its cell that each code has: codes without rows share theirs evenly. */
function sharesOf(counts: Float64Array, resolution: Resolution): Float64Array {
  const { cellOf, codes } = resolution;
  if (!cellOf) return new Float64Array(counts.length).fill(1);
  const sums = summed(counts, resolution);
  return counts.map((count, code) => (sums[cellOf[code]] ? count / sums[cellOf[code]] : 1 / codes[cellOf[code]]));
}

const weighted = ({ columns, answers, variance }: LeastSquares): NoisyMarginal => ({
  ...{ columns, answers, weights: new Float64Array(answers.length).fill(1 / variance) },
});

/** The bytes of a number in a table. */
const BYTES = 8;
/** More than this does not fit into an engine, whatever is allowed. */
const MOST_MEGABYTES = 3500;

/**
 * @param otherwise what makes rows without such tables
 * @throws {StandinError} `options/megabytes`
 */
export function expectRoom(cells: number, megabytes: number, otherwise = ""): void {
  const needed = Math.ceil((BYTES * cells) / 1e6);
  if (needed <= megabytes) return;
  const more = needed <= MOST_MEGABYTES ? `Allow more (${optionText("megabytes", needed)}), measure` : "Measure";
  throw new StandinError(
    "options/megabytes",
    `The graphical model has tables of ${thousands(needed)} MB; ${thousands(megabytes)} MB are allowed.`,
    `${more} smaller or fewer sets of columns${otherwise}.`,
  );
}
