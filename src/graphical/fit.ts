import type { Progress } from "../core/progress.js";
import {
  DESCENT_ANSWERS,
  DESCENT_BYTES,
  DESCENT_CELLS,
  DESCENT_CLIQUES,
  DESCENT_CURRENT,
  DESCENT_ENOUGH,
  DESCENT_FACTORS,
  DESCENT_LOSS,
  DESCENT_MARGINALS,
  DESCENT_MOMENTUM,
  DESCENT_MOST,
  DESCENT_POTENTIALS,
  DESCENT_RATE,
  DESCENT_STEPS,
  DESCENT_TOLERANCE,
  DESCENT_TREES,
  DESCENT_WEIGHTS,
  SEARCH_LIMIT,
  SEARCH_RUNNING,
} from "../engine/layout.js";
import { Struct } from "../engine/struct.js";
import { Words } from "../engine/words.js";
import type { CalibratedTree } from "./calibrated-tree.js";
import { Contractions, cellsOver, type Table } from "./contraction.js";
import { bySize } from "./triangulation.js";

/**
 * A noisy marginal: the answers of its cells, and the inverse variances of these, which are the same for all cells of
 * several columns.
 */
export interface NoisyMarginal {
  readonly columns: readonly number[];
  readonly answers: Float64Array;
  readonly weights: Float64Array;
}

export interface DescentSettings {
  /** The most steps. */
  readonly steps: number;
  /** A fit has settled once ten steps lower the loss by no more than this part of it. */
  readonly tolerance: number;
  /** It has also settled once its loss is this part of what noise alone would give: closer fits would fit the noise. */
  readonly noise: number;
}

export interface DescentResult {
  /** ½ Σ weight·(marginal − answer)², at the start and at the end. */
  readonly startLoss: number;
  readonly loss: number;
  readonly steps: number;
  readonly isSettled: boolean;
  /** Σ weight·(marginal − answer)² of each marginal at the end. */
  readonly squares: readonly number[];
  /** What the fit has added to the log-potential of each cell, marginal after marginal. */
  readonly potentials: Float64Array;
}

/** The target duration between two reports of progress. */
const SLICE_MS = 50;
/** The most steps between them. */
const MOST_STEPS = 256;
/** The first rate, for counts of one row and answers of variance 1. A descent soon finds a better one. */
const FIRST_RATE = 4;

/**
 * Fits a tree to noisy marginals, each of which has its columns in one of the cliques. It starts from what the first
 * copy of the tree's tables holds, and from log-potentials.
 * @param potentials those that an earlier fit to the first of the marginals has ended with
 */
export function* fitTree(
  tree: CalibratedTree,
  noisy: readonly NoisyMarginal[],
  settings: DescentSettings,
  potentials: Float64Array,
): Generator<Progress, DescentResult> {
  const { engine } = tree;
  const outer = engine.exports.mark();
  const descent = placeDescent(tree, noisy, settings, potentials);
  const word = (at: number) => engine.readU32(descent + at, 1)[0];
  const lossNow = () => engine.readF64(descent + DESCENT_LOSS, 1)[0];
  let status = engine.exports.descendMirror(descent, 0);
  const startLoss = lossNow();
  let slice = 1;
  while (status === SEARCH_RUNNING) {
    const began = Date.now();
    status = engine.exports.descendMirror(descent, slice);
    slice = Date.now() - began < SLICE_MS ? Math.min(MOST_STEPS, 2 * slice) : Math.max(1, slice >> 1);
    yield { phase: "search", step: word(DESCENT_STEPS), loss: lossNow() / (startLoss || 1) };
  }
  tree.current = word(DESCENT_CURRENT) as 0 | 1;
  const read = (at: number) => engine.readF64(word(at), word(DESCENT_CELLS));
  const marginals = read(DESCENT_MARGINALS + 4 * tree.current);
  const result = {
    ...{ startLoss, loss: lossNow(), steps: word(DESCENT_STEPS), isSettled: status !== SEARCH_LIMIT },
    squares: squaresOf(noisy, marginals, read(DESCENT_ANSWERS), read(DESCENT_WEIGHTS)),
    potentials: read(DESCENT_POTENTIALS),
  };
  engine.exports.rewind(outer);
  tree.settle();
  return result;
}

function squaresOf(
  noisy: readonly NoisyMarginal[],
  marginals: Float64Array,
  answers: Float64Array,
  weights: Float64Array,
): number[] {
  let at = 0;
  return noisy.map((marginal) => {
    let sum = 0;
    for (const end = at + marginal.answers.length; at < end; at++)
      sum += weights[at] * (marginals[at] - answers[at]) ** 2;
    return sum;
  });
}

/** Arrays with a number for every measured cell. */
interface Cells {
  readonly marginals: readonly [number, number];
  readonly answers: number;
  readonly weights: number;
  readonly factors: number;
  readonly momentum: number;
}

/** Places a DESCENT, and the separators' marginals that it starts from. */
export function placeDescent(
  tree: CalibratedTree,
  noisy: readonly NoisyMarginal[],
  { steps, tolerance, noise }: DescentSettings,
  potentials: Float64Array,
): number {
  const { engine, total } = tree;
  const count = noisy.reduce((sum, { answers }) => sum + answers.length, 0);
  const [first, second, answers, weights, factors, momentum, start] = engine.reserve(new Array(7).fill(8 * count));
  engine.write(start, potentials);
  const cells: Cells = { marginals: [first, second], answers, weights, factors, momentum };
  engine.scratch(() => {
    const sorted = new Contractions(engine, tree.sizes);
    let at = 0;
    for (const { columns, ...marginal } of noisy) {
      const out = { pointer: answers + at, columns: bySize(columns, tree.sizes) };
      const given = { pointer: engine.place(marginal.answers), columns };
      sorted.add({ columns: out.columns, factors: [given], sums: [out] });
      engine.write(weights + at, marginal.weights);
      at += marginal.answers.byteLength;
    }
    sorted.run();
  });
  const trees = placeTrees(tree, noisy, cells);
  const largest = noisy.reduce((most, { weights }) => weights.reduce((a, b) => Math.max(a, b), most), 0);
  const struct = new Struct(DESCENT_BYTES);
  struct.u32(DESCENT_CLIQUES, tree.cliques.length);
  for (const copy of [0, 1]) {
    struct.u32(DESCENT_TREES + 4 * copy, trees[copy]);
    struct.u32(DESCENT_MARGINALS + 4 * copy, cells.marginals[copy]);
  }
  struct.u32(DESCENT_CELLS, count);
  struct.u32(DESCENT_ANSWERS, answers);
  struct.u32(DESCENT_WEIGHTS, weights);
  struct.u32(DESCENT_FACTORS, factors);
  struct.u32(DESCENT_MOMENTUM, momentum);
  struct.u32(DESCENT_POTENTIALS, start);
  struct.u32(DESCENT_MOST, steps);
  struct.f64(DESCENT_RATE, FIRST_RATE / (total * (largest || 1)));
  struct.f64(DESCENT_LOSS, Number.NaN);
  struct.f64(DESCENT_TOLERANCE, tolerance);
  struct.f64(DESCENT_ENOUGH, (noise * count) / 2);
  return engine.place(struct.bytes);
}

/** Places the trees' CLIQUEs: from the first copy of the tables to the second, and back. */
function placeTrees(tree: CalibratedTree, noisy: readonly NoisyMarginal[], cells: Cells): [number, number] {
  const { engine, cliques, sizes } = tree;
  const at = new Map<NoisyMarginal, number>();
  noisy.reduce((sum, marginal) => {
    at.set(marginal, sum);
    return sum + marginal.answers.byteLength;
  }, 0);
  const held = new Map(cliques.map((clique) => [clique, [] as NoisyMarginal[]]));
  for (const marginal of noisy) held.get(tree.cliqueOf(marginal.columns)!)!.push(marginal);
  const partOf =
    (array: number) =>
    (marginal: NoisyMarginal): Table => ({
      pointer: array + at.get(marginal)!,
      columns: bySize(marginal.columns, sizes),
    });
  const upwards = cliques.map(({ separator }) => engine.alloc(8 * cellsOver(separator, sizes)));
  const plan = new Contractions(engine, sizes);
  engine.scratch(() => {
    const start = new Contractions(engine, sizes);
    for (const { columns, parent, tables, separators } of cliques)
      if (parent !== undefined) start.add({ columns, factors: [tables[0]], sums: [separators[0]] });
    start.run();
  });
  for (const to of [1, 0] as const)
    for (const [place, clique] of cliques.entries()) {
      const { columns, tables, message, separator } = clique;
      const children = cliques.filter(({ parent }) => parent === place);
      const changes = [...held.get(clique)!.map(partOf(cells.factors)), ...children.map((child) => child.message)];
      plan.add({
        columns,
        factors: [tables[1 - to], ...changes],
        sums: [{ pointer: upwards[place], columns: separator }],
        table: tables[to].pointer,
      });
      plan.add({
        columns,
        factors: [tables[to], message],
        sums: [
          ...held.get(clique)!.map(partOf(cells.marginals[to])),
          ...children.map(({ separators }) => separators[to]),
        ],
        table: tables[to].pointer,
      });
    }
  const contractions = plan.place();
  const words = new Words();
  const places = ([1, 0] as const).map((to, tree) =>
    words.add(
      cliques.flatMap(({ separator, separators, message }, place) => {
        const [up, down] = contractions.slice(2 * (tree * cliques.length + place));
        const outside = [separators[1 - to].pointer, upwards[place], separators[to].pointer, message.pointer];
        return [up, down, cellsOver(separator, sizes), ...outside];
      }),
    ),
  );
  const start = words.place(engine);
  return [start + places[0], start + places[1]];
}
