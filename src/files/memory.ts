// What the engine answers when a table does not fit into its memory.
import { StandinError } from "../core/errors.js";
import { OK } from "../engine/layout.js";

/** @throws {StandinError} `files/memory` if the engine has refused a call */
export function accepted(status: number): void {
  if (status !== OK) throw noMemory();
}

/** A pointer of the engine. @throws {StandinError} `files/memory` if it has none */
export function given(pointer: number): number {
  if (pointer === 0) throw noMemory();
  return pointer >>> 0;
}

export const noMemory = () =>
  new StandinError(
    "files/memory",
    "The table does not fit in memory.",
    "Read fewer columns: the role drop leaves a column out.",
  );
