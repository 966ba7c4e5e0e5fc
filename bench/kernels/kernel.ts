// What the benches of all kernels share: their form, generated inputs, and the search that those of genetic/ work on.

import type { Kernels } from "../../src/core/kernels.js";
import type { Attribute } from "../../src/domain/attribute.js";
import type { Grid } from "../../src/domain/grid.js";
import { GpuCounter } from "../../src/gpu/counter.js";
import type { Device } from "../../src/gpu/device.js";
import { openGpuKernels } from "../../src/gpu/kernels.js";
import { openWasmKernels } from "../../src/gradient/wasm-kernels.js";
import { CalibratedTree } from "../../src/graphical/calibrated-tree.js";
import { junctionTree } from "../../src/graphical/triangulation.js";
import { notationStruct } from "../../src/notation/struct.js";
import { cellsOf, type Query, queryOf } from "../../src/queries/query.js";
import { queryWords } from "../../src/queries/struct.js";
import { magnitudesOf } from "../../test/answers.js";
import type { Engine } from "../../test/engine.js";
import { forOracle, type Group } from "../../test/linked.js";
import { placeSearch } from "../../test/place-search.js";
import { fieldOf } from "../../test/random-notations.js";
import type { Generations } from "../../test/reference/evolve.js";
import type { Problem } from "../../test/reference/residuals.js";
import { uniforms } from "../../test/reference/statistics.js";

/** A kernel to time; a run in an engine takes 1 to 50 ms. */
export interface Kernel {
  /** What an element is. */
  readonly element: string;
  /** How many elements a run has. */
  readonly elements: number;
  /** Places the input in an engine. Returns a run on it, which can be repeated. */
  open(engine: Engine): () => void;
  /** A run of the plain JavaScript oracle on the same input, or on a smaller one where the oracle is slow. */
  readonly oracle: { readonly elements: number; run(): unknown };
  /** What an element may take in the engine, in nanoseconds, where that is a target. */
  readonly most?: number;
  /**
   * The same work on a GPU, for kernels that have a twin in gpu/. A run takes its input there and brings the results
   * back.
   */
  readonly onGpu?: {
    /** At least so many elements, if more suit a GPU; and how many times as fast as the engine it should be. */
    readonly elements?: number;
    readonly least?: number;
    /** How often a job does such work at least, on a GPU that is opened once. */
    readonly times?: number;
    open(device: Device): Promise<() => Promise<unknown>>;
  };
}

/** Where the lines of each of 13 columns begin in relaxed rows, then how many lines there are. */
export const BLOCKS = [0, 9, 25, 32, 47, 53, 58, 60, 102, 122, 132, 140, 144, 146];
export const LINES = 146;
export const RELAXED_ROWS = 1000;

/** How many times calls are made on a GPU before something is read. */
const CALLS = 20;

/** Calls to kernels of gradient models, in the engine and on a GPU, where their arrays stay. */
export function onKernels(
  elements: number,
  place: (kernels: Kernels) => () => void,
): Pick<Kernel, "elements" | "open" | "onGpu"> {
  return {
    elements,
    open: () => place(openWasmKernels()),
    onGpu: {
      elements: CALLS * elements,
      async open(device) {
        const kernels = await openGpuKernels(device);
        const calls = repeated(CALLS, place(kernels));
        const last = kernels.floats(1);
        return () => {
          calls();
          return kernels.read(last);
        };
      },
    },
  };
}

/** The key of vaults and of the oracles' streams. */
export const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);

/** The job as often as stated. */
export function repeated(times: number, job: () => void): () => void {
  return () => {
    for (let turn = 0; turn < times; turn++) job();
  };
}

/** Counts rows on a GPU. */
export const countedOn =
  (query: Query, attributes: readonly Attribute[], codes: readonly Uint16Array[]) => async (device: Device) => {
    const words = queryWords(query, attributes);
    const magnitudes = magnitudesOf(words);
    return async () => {
      const counter = new GpuCounter(device, { codes, rows: codes[0].length, magnitudes: () => magnitudes });
      await counter.count([words]);
      counter.close();
    };
  };

/** Throws where the engine refuses what a bench asks of it. */
export function accepted(status: number): void {
  if (status !== 0) throw new Error(`The engine refuses this: ${status}.`);
}

/** Uniform codes below `size`. */
export function uniformCodes(rows: number, size: number, seed: number): Uint16Array {
  const uniform = uniforms(seed);
  return Uint16Array.from({ length: rows }, () => Math.floor(uniform() * size));
}

/** Uniform integers from −bound to bound. */
export function uniformIntegers(count: number, bound: number, seed: number): Int32Array {
  const uniform = uniforms(seed);
  return Int32Array.from({ length: count }, () => Math.round((2 * uniform() - 1) * bound));
}

/** A column of so many categories. */
export const categories = (size: number): Attribute => ({ name: "categories", size, tree: false, missing: false });

/** A tree column with "missing". */
export const tree: Attribute = { name: "tree", size: 33, tree: true, missing: true };

/** The query of all of these columns. */
export const queryOfAll = (attributes: readonly Attribute[]): Query => queryOf([...attributes.keys()], attributes);

/** A search over all pairs of four columns: small, since oracles count the whole table for each change of a cell. */
export const PROBLEM: Problem = (() => {
  const attributes = [5, 6, 8, 12].map(categories);
  const queries = attributes.flatMap((_, a) =>
    attributes.slice(a + 1).map((_, b) => queryOf([a, a + 1 + b], attributes)),
  );
  const codes = attributes.map(({ size }, column) => uniformCodes(12, size, column));
  const targets = queries.map((query, index) => uniformIntegers(cellsOf(query, attributes), 256, index));
  return { attributes, queries, targets, codes, shift: 8, seed: 1 };
})();

/** A search over all pairs of twelve columns. */
export const WIDE: Problem = (() => {
  const attributes = Array.from({ length: 12 }, (_, at) => categories(4 + 2 * at));
  const queries = attributes.flatMap((_, a) =>
    attributes.slice(a + 1).map((_, b) => queryOf([a, a + 1 + b], attributes)),
  );
  const codes = attributes.map(({ size }, column) => uniformCodes(16_384, size, column));
  const cells = (columns: readonly number[]) => columns.reduce((product, at) => product * attributes[at].size, 1);
  const targets = queries.map(({ columns }, index) => uniformIntegers(cells(columns), 256, index));
  return { attributes, queries, targets, codes, shift: 4, seed: 1 };
})();

const GENERATIONS = 400;

/**
 * Generations of the genetic search with so many mutations and crossovers each; the oracle makes the first two. After
 * the first runs no candidate is better any more: what is timed is how candidates are proposed, scored and ranked.
 */
export function generations(
  mutations: number,
  crossovers: number,
  oracle: (problem: Problem, settings: Generations) => unknown,
): Kernel {
  // A negative tolerance: the search never settles.
  const settings: Generations = { mutations, crossovers, elites: 2, generations: 2, tolerance: -1 };
  const population = mutations + crossovers;
  return {
    element: "candidate",
    elements: GENERATIONS * population,
    open(engine) {
      const { search } = placeSearch(engine, PROBLEM);
      const state = engine.exports.evolveOpen(search, mutations, crossovers, settings.elites, 2 ** 32 - 1, -1);
      return () => engine.exports.evolve(state, GENERATIONS);
    },
    oracle: { elements: settings.generations * population, run: () => oracle(PROBLEM, settings) },
  };
}

/** Three numbers in bins of five, two of them ordered and the third their sum, and pairs of categories. */
export const LINKED = ((): Group & { readonly witness: readonly number[] } => {
  const starts = Float64Array.from({ length: 20 }, (_, code) => 5 * code);
  const number = { kind: "even", codes: 20, starts, values: 100, missing: 0xffff, base: 0, step: 1 } as const;
  const category = { kind: "plain", codes: 20, starts: undefined, values: 20, missing: 20 } as const;
  const combinations = Array.from({ length: 40 }, (_, at) => [at % 20, (at * 7) % 20]);
  return {
    scales: [number, number, number, category, category],
    widths: [2, 2, 2, 2, 2],
    orders: [[0, 1]],
    sums: [[2, 0, 1]],
    lists: [{ columns: [3, 4], combinations, exempt: [20, 20] }],
    witness: [0, 0, 0, 0, 0],
  };
})();

/** The same, for oracles. */
export const LINKED_PROBLEM = forOracle(LINKED);

/** Rows of its columns with random codes, and the codes that queries see. */
export function linkedRows(count: number): { rows: number[][]; codes: number[][] } {
  const drawn = LINKED.scales.map(({ values }, column) => uniformCodes(count, values + 1, column));
  const rows = Array.from({ length: count }, (_, row) =>
    drawn.map((column, at) => (column[row] === LINKED.scales[at].values ? LINKED.scales[at].missing! : column[row])),
  );
  const codes = rows.map((row) => row.map((code, at) => (at > 2 ? code : Math.min(20, Math.floor(code / 5)))));
  return { rows, codes };
}

/** A column of numbers, dates or times, and distinct cells of it. */
export interface Cells {
  readonly given: Record<string, unknown>;
  readonly grid: Grid;
  readonly texts: readonly string[];
}

const CELLS = 4000;

function cellsIn(given: Record<string, unknown>, textAt: (at: number) => string): Cells {
  return { given, grid: fieldOf(given)!.field.domain, texts: Array.from({ length: CELLS }, (_, at) => textAt(at)) };
}

/** Numbers with all their digits, and datetimes. */
export const COLUMNS: readonly Cells[] = [
  cellsIn({ type: "number", constraints: { minimum: -1, maximum: 1 }, standin: { granularity: 0.001 } }, (at) =>
    String(Math.sin(at)),
  ),
  cellsIn(
    { type: "datetime", constraints: { minimum: "1990-01-01T00:00:00Z", maximum: "2030-01-01T00:00:00Z" } },
    (at) => `${new Date(700_000_000_000 + at * 123_456_789).toISOString().slice(0, 19)}Z`,
  ),
];

/** Places a column's NOTATION and its cells in an engine: where each begins and ends. */
export function placeCells(engine: Engine, { given, grid, texts }: Cells) {
  const notation = engine.place(notationStruct(fieldOf(given)!.field.notation.spelling, grid));
  const places = texts.map((text) => {
    const bytes = new TextEncoder().encode(text);
    const from = engine.place(Uint8Array.of(...bytes, 0, 0, 0, 0));
    return [from, from + bytes.length] as const;
  });
  return { notation, places };
}

/** A tree of pairs along a path of columns, about as large as Adult's, and noisy answers to these pairs. */
export const pathTree = (() => {
  const sizes = [16, 42, 85, 100, 99, 15, 7, 6, 9, 2];
  const total = 50_000;
  const sets = sizes.slice(1).map((_, column) => [column, column + 1]);
  const cellsOf = ([one, other]: readonly number[]) => sizes[one] * sizes[other];
  return {
    cells: sets.reduce((sum, pair) => sum + cellsOf(pair), 0),
    open() {
      const tree = new CalibratedTree(junctionTree(sets, sizes), sizes, total);
      tree.startIndependent(sizes.map((size) => new Float64Array(size).fill(total / size)));
      const noisy = sets.map((columns, at) => ({
        ...{ columns, answers: Float64Array.from(uniformIntegers(cellsOf(columns), 50, at), Math.abs) },
        weights: new Float64Array(cellsOf(columns)).fill(1e-3),
      }));
      return { tree, noisy };
    },
  };
})();
