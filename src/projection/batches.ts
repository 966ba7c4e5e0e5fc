import type { Progress } from "../core/progress.js";
import type { OpenSearch, SearchTables } from "../core/search-device.js";
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

/** How a device's part ended. */
export interface DeviceResult {
  /** The search's: SEARCH_RUNNING where the device has failed, and the engine has to go on alone. */
  readonly status: number;
  /** Why the device did not do its part, or not all of it. */
  readonly failure: string | undefined;
}

/** The target duration between two pauses. */
const PAUSE_MS = 50;

/**
 * Goes on with a descent after its first sweep, with a device that looks at the rows of each batch. All else happens in
 * the engine, which can therefore go on alone at any moment: the rows are the same.
 */
export async function* descendWithDevice(
  { instance, search, batches }: Batches,
  open: OpenSearch,
  progress: () => Progress,
): AsyncGenerator<Progress, DeviceResult> {
  const { exports: engine } = instance;
  let status = SEARCH_RUNNING;
  let failure: string | undefined;
  const asked = async <Result>(job: () => Result | Promise<Result>): Promise<Result | undefined> => {
    try {
      return await job();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  };
  const tables = tablesOf(instance, search);
  const device = await asked(() => open(tables));
  try {
    for (let paused = Date.now(); device; ) {
      const count = engine.batchDraw(batches);
      const drawn = batchAt(instance, batches);
      const rows = instance.readU32(drawn(BATCH_ROWS), count);
      const moves = await asked(() => device.findMoves(rows));
      if (!moves) break;
      instance.write(drawn(BATCH_MOVES), moves);
      status = engine.batchMake(batches);
      if (status !== SEARCH_RUNNING) break;
      const made = batchAt(instance, batches);
      const changed = instance.readU32(made(BATCH_CHANGED_ROWS), made(BATCH_CHANGED));
      const codes = instance.readU16(made(BATCH_CHANGED_CODES), changed.length * tables.map[MAP_WIDTH]);
      await asked(() => device.change(changed, codes));
      if (failure !== undefined) break;
      if (Date.now() - paused < PAUSE_MS) continue;
      yield progress();
      paused = Date.now();
    }
    return { status, failure };
  } finally {
    device?.close();
  }
}

/** The fields of a BATCH. */
function batchAt(instance: Instance, batches: number): (offset: number) => number {
  const words = instance.readU32(batches, BATCH_BYTES / 4);
  return (offset) => words[offset / 4];
}

/** Copies of what a device needs. @throws {StandinError} `engine/memory` */
function tablesOf(instance: Instance, search: number): SearchTables {
  const map = instance.scratch(() => {
    const entries = instance.exports.searchMap(search, 0);
    const place = instance.alloc(4 * entries);
    instance.exports.searchMap(search, place);
    return instance.readU32(place, entries);
  });
  return {
    map,
    residuals: instance.readI32(map[MAP_TABLES], map[MAP_TABLES_LENGTH]),
    codes: instance.readU16(map[MAP_CODES], map[MAP_ROWS] * map[MAP_WIDTH]),
  };
}
