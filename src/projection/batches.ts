import { type Gpu, gpuLost } from "../core/gpu.js";
import type { Progress } from "../core/progress.js";
import type { SearchTables } from "../core/search-device.js";
import type { Instance } from "../engine/instance.js";
import {
  BATCH_BYTES,
  BATCH_CHANGED,
  BATCH_CHANGED_CODES,
  BATCH_CHANGED_ROWS,
  BATCH_MOVES,
  BATCH_ROWS,
  MAP_CODES,
  MAP_ROWS,
  MAP_TABLES,
  MAP_TABLES_LENGTH,
  MAP_WIDTH,
  SEARCH_RUNNING,
} from "../engine/layout.js";

/** A descent in batches: an engine, and pointers to the search and its BATCH. */
export interface Batches {
  readonly instance: Instance;
  readonly search: number;
  readonly batches: number;
}

/** The target duration between two pauses. */
const PAUSE_MS = 50;

/**
 * Goes on with a descent after its first sweeps, with a GPU that looks at the rows of each batch. All else happens in
 * the engine, which can therefore go on alone at any moment: the rows are the same. Returns the search's status.
 * @throws {StandinError} `gpu/lost`, `gpu/memory`; `descendInBatches` can finish the search then
 */
export async function* descendWithGpu(
  { instance, search, batches }: Batches,
  gpu: Gpu,
  progress: () => Progress,
): AsyncGenerator<Progress, number> {
  const { exports: engine } = instance;
  const tables = tablesOf(instance, search);
  const device = await gpu.openSearch(tables);
  try {
    for (let paused = Date.now(); ; ) {
      const count = engine.batchDraw(batches);
      const drawn = batchAt(instance, batches);
      instance.write(drawn(BATCH_MOVES), await device.findMoves(instance.readU32(drawn(BATCH_ROWS), count)));
      const status = engine.batchMake(batches);
      if (status !== SEARCH_RUNNING) return status;
      const made = batchAt(instance, batches);
      const changed = made(BATCH_CHANGED);
      const codes = instance.readU16(made(BATCH_CHANGED_CODES), changed * tables.map[MAP_WIDTH]);
      if (changed) device.change(instance.readU32(made(BATCH_CHANGED_ROWS), changed), codes);
      if (Date.now() - paused < PAUSE_MS) continue;
      yield progress();
      paused = Date.now();
    }
  } finally {
    device.close();
  }
}

/** The fields of a BATCH. */
function batchAt(instance: Instance, batches: number): (offset: number) => number {
  const words = instance.readU32(batches, BATCH_BYTES / 4);
  return (offset) => words[offset / 4];
}

/** Copies of what a GPU needs. @throws {StandinError} `gpu/lost` */
function tablesOf(instance: Instance, search: number): SearchTables {
  const { exports: engine } = instance;
  const map = instance.scratch(() => {
    const entries = engine.searchMap(search, 0);
    const place = engine.alloc(4 * entries);
    if (!place) throw gpuLost("the engine has no room for what it has to be told.");
    engine.searchMap(search, instance.opened(place));
    return instance.readU32(place >>> 0, entries);
  });
  return {
    map,
    residuals: instance.readI32(map[MAP_TABLES], map[MAP_TABLES_LENGTH]),
    codes: instance.readU16(map[MAP_CODES], map[MAP_ROWS] * map[MAP_WIDTH]),
  };
}
