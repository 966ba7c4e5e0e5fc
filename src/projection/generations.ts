import type { Instance } from "../engine/instance.js";
import {
  GENERATION_BYTES,
  GENERATION_CANDIDATES,
  GENERATION_CHANGED,
  GENERATION_CHANGES,
  GENERATION_ROW,
  MAP_CODES,
  MAP_WIDTH,
  SEARCH_RUNNING,
} from "../engine/layout.js";
import { type Followed, fieldsAt } from "./with-gpu.js";

/**
 * A generation of the genetic search, of which a GPU scores the candidates. Returns the search's status.
 * @param evolution its GENERATION
 * @throws {StandinError} `gpu/lost`; `evolve` can finish the search then
 */
export async function generationWithGpu(
  instance: Instance,
  evolution: number,
  { device, map }: Followed,
): Promise<number> {
  const { exports: engine } = instance;
  const count = engine.evolveDraw(evolution);
  const drawn = fieldsAt(instance, evolution, GENERATION_BYTES);
  if (count) {
    const candidates = instance.readU32(drawn(GENERATION_CANDIDATES), 3 * count);
    instance.write(drawn(GENERATION_CHANGES), await device.score(candidates));
  }
  const status = engine.evolveKeep(evolution, count);
  const kept = fieldsAt(instance, evolution, GENERATION_BYTES);
  if (status !== SEARCH_RUNNING || !kept(GENERATION_CHANGED)) return status;
  const row = kept(GENERATION_ROW);
  const width = map[MAP_WIDTH];
  device.change(Uint32Array.of(row), instance.readU16(map[MAP_CODES] + 2 * row * width, width));
  return status;
}
