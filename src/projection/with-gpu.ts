import { StandinError } from "../core/errors.js";
import type { Gpu } from "../core/gpu.js";
import type { Progress } from "../core/progress.js";
import type { SearchDevice, SearchTables } from "../core/search-device.js";
import type { Instance } from "../engine/instance.js";
import { MAP_CODES, MAP_ROWS, MAP_TABLES, MAP_TABLES_LENGTH, MAP_WIDTH, SEARCH_RUNNING } from "../engine/layout.js";

/** A device with copies of a search, and what the copies were made of. */
export interface Followed {
  readonly device: SearchDevice;
  readonly map: Uint32Array;
}

/** The target duration between two pauses. */
const PAUSE_MS = 50;

/**
 * Goes on with a search in steps for which a GPU answers questions. All else happens in the engine, which can therefore
 * go on alone at any moment: the rows are the same. Returns the search's status.
 * @param search a pointer
 * @param step makes one step, tells the device which rows change, and returns the search's status
 * @throws {StandinError} `gpu/lost`, `gpu/memory`
 */
export async function* searchWithGpu(
  instance: Instance,
  search: number,
  gpu: Gpu,
  step: (followed: Followed) => Promise<number>,
  progress: () => Progress,
): AsyncGenerator<Progress, number> {
  const tables = tablesOf(instance, search);
  const device = await gpu.openSearch(tables);
  try {
    for (let paused = Date.now(); ; ) {
      const status = await step({ device, map: tables.map });
      if (status !== SEARCH_RUNNING) return status;
      if (Date.now() - paused < PAUSE_MS) continue;
      yield progress();
      paused = Date.now();
    }
  } finally {
    device.close();
  }
}

/** The fields of a struct of u32. */
export function fieldsAt(instance: Instance, pointer: number, bytes: number): (offset: number) => number {
  const words = instance.readU32(pointer, bytes / 4);
  return (offset) => words[offset / 4];
}

/** Copies of what a GPU needs. @throws {StandinError} `gpu/lost` */
function tablesOf(instance: Instance, search: number): SearchTables {
  const { exports: engine } = instance;
  const map = instance.scratch(() => {
    const entries = engine.searchMap(search, 0);
    const place = engine.alloc(4 * entries);
    if (!place) throw new StandinError("gpu/memory", "The engine has no room for a map of its tables.");
    engine.searchMap(search, instance.opened(place));
    return instance.readU32(place >>> 0, entries);
  });
  return {
    map,
    residuals: instance.readI32(map[MAP_TABLES], map[MAP_TABLES_LENGTH]),
    codes: instance.readU16(map[MAP_CODES], map[MAP_ROWS] * map[MAP_WIDTH]),
  };
}
