import fitness from "../../gpu/fitness.wgsl";
import neighbourhood from "../../gpu/neighbourhood.wgsl";
import residuals from "../../gpu/residuals.wgsl";
import type { SearchDevice, SearchTables } from "../core/search-device.js";
import { MAP_ACTIVE, MAP_WIDTH } from "../engine/layout.js";
import type { Device, Memory, Words } from "./device.js";

/**
 * A search on a GPU: its tables, its rows, and the kernels that work on them.
 * @throws {StandinError} `gpu/lost`, `gpu/memory`
 */
export async function openSearch(device: Device, tables: SearchTables): Promise<SearchDevice> {
  const { map } = tables;
  const [{ findMoves }, { scoreCandidates }, { moveRows }] = await Promise.all([
    device.kernels(neighbourhood, ["findMoves"]),
    device.kernels(fitness, ["scoreCandidates"]),
    device.kernels(residuals, ["moveRows"]),
  ]);
  const words = Math.ceil(map[MAP_ACTIVE] / 32);
  const stride = Math.ceil(map[MAP_WIDTH] / 2);
  const memories: Memory[] = [];
  const placed = (content: Words) => {
    const memory = device.place(content);
    memories.push(memory);
    return memory;
  };
  /** Memory that grows as needed; what it held is lost then. */
  const growing = () => {
    let memory: Memory | undefined;
    return (length: number): Memory => {
      if (!memory || memory.size < 4 * length) {
        memory = device.reserve(length);
        memories.push(memory);
      }
      return memory;
    };
  };
  const close = () => {
    for (const memory of memories) memory.destroy();
  };
  try {
    const state = [placed(map), placed(tables.residuals), placed(inWords(tables.codes, map[MAP_WIDTH]))];
    const [rowsOf, foundOf, changedOf, candidatesOf, changesOf] = Array.from({ length: 5 }, growing);
    const written = (memory: Memory, content: Words) => {
      device.write(memory, content);
      return memory;
    };
    return {
      findMoves(rows) {
        const found = foundOf(rows.length * words);
        device.clear(found);
        const parameters = [rows.length, words, stride];
        const arrays = [...state, written(rowsOf(rows.length), rows), found];
        device.run(findMoves, parameters, arrays, rows.length * map[MAP_ACTIVE]);
        return device.read(found, new Uint32Array(rows.length * words));
      },
      async score(candidates) {
        const count = candidates.length / 3;
        const changes = changesOf(2 * count);
        const arrays = [...state, written(candidatesOf(candidates.length), candidates), changes];
        device.run(scoreCandidates, [count, stride], arrays, Math.ceil(count / 64));
        const words = await device.read(changes, new Uint32Array(2 * count));
        return new BigInt64Array(words.buffer);
      },
      change(rows, codes) {
        const changed = written(changedOf(rows.length * stride), inWords(codes, map[MAP_WIDTH]));
        const arrays = [...state, written(rowsOf(rows.length), rows), changed];
        device.run(moveRows, [rows.length, stride], arrays, rows.length);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Codes row after row, as the kernels read them: two in a word, and each row begins a word. */
export function inWords(codes: Uint16Array, width: number): Uint32Array {
  const stride = Math.ceil(width / 2);
  const rows = codes.length / width;
  const padded = new Uint16Array(2 * stride * rows);
  if (width % 2 === 0) padded.set(codes);
  else
    for (let row = 0; row < rows; row++) padded.set(codes.subarray(row * width, (row + 1) * width), 2 * stride * row);
  return new Uint32Array(padded.buffer);
}
