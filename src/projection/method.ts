import type { Engines, GpuKernel } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import type { Progress } from "../core/progress.js";
import type { Instance } from "../engine/instance.js";
import { BATCHES, LEAST_BATCH, SEARCH_RUNNING, SEARCH_SETTLED, WHOLE_SWEEPS } from "../engine/layout.js";
import { batchWithGpu } from "./batches.js";
import { generationWithGpu } from "./generations.js";
import { isInBatches, type SearchSettings } from "./settings.js";
import { type Followed, searchWithGpu } from "./with-gpu.js";

/** A search in an engine of its own, with filled tables and rows at their start. */
export interface SearchState {
  readonly instance: Instance;
  readonly search: number;
  /** Pointers to the u16 codes of each attribute, `rows` codes each. */
  readonly columns: readonly number[];
  /** The attributes that occur in a query. */
  readonly used: ReadonlySet<number>;
  /** The number of rows searched, and the units of a row: 2^shift. */
  readonly rows: number;
  readonly shift: number;
  /** How many answers the targets have. */
  readonly cells: number;
  /** Whether all queries are tables of the codes that rows have. */
  readonly isTables: boolean;
  /** How many residuals are then read in a sweep, and for an average candidate. */
  readonly reads: { readonly sweep: number; readonly candidate: number };
}

/** The target duration of a step of the search, and the most rows or generations in one step. */
const SLICE_MS = 50;
const MOST_STEPS = 1 << 16;

/** Searches of real tables took at least so many sweeps after the first WHOLE_SWEEPS. */
const LEAST_SWEEPS = 2;

/** Searches to the end. Returns the status. */
export async function* searched(
  bench: SearchState,
  settings: SearchSettings,
  engines: Engines | undefined,
  progress: () => Progress,
): AsyncGenerator<Progress, number> {
  if (!bench.used.size) return SEARCH_SETTLED;
  const { slice, onGpu } = openMethod(bench, settings);
  if (!onGpu || !engines || !bench.isTables) return yield* sliced(slice, progress);
  const { kernel, from, reads, step } = onGpu;
  if (from) {
    const status = yield* sliced(slice, progress, () => bench.instance.exports.searchSteps(bench.search) >= from);
    if (status !== SEARCH_RUNNING) return status;
  }
  const gpu = await engines.gpuFor(kernel, reads);
  if (!gpu) return yield* sliced(slice, progress);
  try {
    return yield* searchWithGpu(bench.instance, bench.search, gpu, step, progress);
  } catch (error) {
    engines.finishOnWasm(kernel, error);
    return yield* sliced(slice, progress);
  }
}

/** How to search. */
interface Method {
  /** Makes up to the given number of further steps. Returns the search's status. */
  readonly slice: (steps: number) => number;
  /** What a GPU can do of it, if all queries are tables of the codes that rows have. */
  readonly onGpu?: {
    readonly kernel: GpuKernel;
    /** After how many sweeps or generations. */
    readonly from: number;
    /** How many residuals are read. */
    readonly reads: number;
    readonly step: (followed: Followed) => Promise<number>;
  };
}

/** Prepares a method. */
function openMethod(bench: SearchState, settings: SearchSettings): Method {
  const { instance, search, rows, cells, reads, isTables } = bench;
  const { exports: engine } = instance;
  if (settings.method === "paper") {
    const { mutations, crossovers, elites, generations, tolerance } = settings;
    const evolution = opened(engine.evolveOpen(search, mutations, crossovers, elites, generations, tolerance));
    const step = (followed: Followed) => generationWithGpu(instance, evolution, followed);
    return {
      slice: (count) => engine.evolve(evolution, count),
      onGpu: { kernel: "fitness", from: 0, reads: (mutations + crossovers) * reads.candidate, step },
    };
  }
  const { tolerance, maxSweeps } = settings;
  if (isInBatches(settings, isTables, rows, cells)) {
    const size = Math.max(LEAST_BATCH, Math.ceil(rows / BATCHES));
    const batches = opened(engine.batchesOpen(search, tolerance, maxSweeps, size));
    const step = (followed: Followed) => batchWithGpu(instance, batches, followed);
    return {
      slice: (budget) => engine.descendInBatches(batches, budget),
      onGpu: { kernel: "neighbourhood", from: WHOLE_SWEEPS, reads: LEAST_SWEEPS * reads.sweep, step },
    };
  }
  const descent = opened(engine.descentOpen(search, tolerance, maxSweeps));
  return { slice: (budget) => engine.descend(descent, budget) };
}

/** Runs slices of about SLICE_MS until one reports that the search is done, or `isEnough`. Returns its status. */
function* sliced(
  slice: (steps: number) => number,
  progress: () => Progress,
  isEnough = () => false,
): Generator<Progress, number> {
  for (let steps = 64; ; ) {
    const start = Date.now();
    const status = slice(steps);
    if (status !== SEARCH_RUNNING || isEnough()) return status;
    const elapsed = Date.now() - start;
    steps = Math.min(MOST_STEPS, Math.ceil(steps * Math.min(4, SLICE_MS / elapsed)));
    yield progress();
  }
}

/** A pointer that the engine returned. @throws {StandinError} `engine/memory` where it is 0 */
export function opened(pointer: number): number {
  if (!pointer) throw noRoom();
  return pointer >>> 0;
}

export function noRoom(): StandinError {
  return new StandinError(
    "engine/memory",
    "The tables of the search do not fit the 4 GiB that the engine can address.",
    "Use a smaller workload, coarser bins, or fewer rows.",
  );
}
