import type { Instance } from "../engine/instance.js";
import {
  BATCH_BYTES,
  BATCH_CHANGED,
  BATCH_CHANGED_CODES,
  BATCH_CHANGED_ROWS,
  BATCH_MOVES,
  BATCH_ROWS,
  MAP_WIDTH,
  SEARCH_RUNNING,
} from "../engine/layout.js";
import { type Followed, fieldsAt } from "./with-gpu.js";

/**
 * A batch of a descent after its first sweeps, of which a GPU looks at the rows. Returns the search's status.
 * @param batches its BATCH
 * @throws {StandinError} `gpu/lost`; `descendInBatches` can finish the search then
 */
export async function batchWithGpu(instance: Instance, batches: number, { device, map }: Followed): Promise<number> {
  const { exports: engine } = instance;
  const count = engine.batchDraw(batches);
  const drawn = fieldsAt(instance, batches, BATCH_BYTES);
  instance.write(drawn(BATCH_MOVES), await device.findMoves(instance.readU32(drawn(BATCH_ROWS), count)));
  const status = engine.batchMake(batches);
  const made = fieldsAt(instance, batches, BATCH_BYTES);
  const changed = made(BATCH_CHANGED);
  if (status !== SEARCH_RUNNING || !changed) return status;
  const codes = instance.readU16(made(BATCH_CHANGED_CODES), changed * map[MAP_WIDTH]);
  device.change(instance.readU32(made(BATCH_CHANGED_ROWS), changed), codes);
  return status;
}
