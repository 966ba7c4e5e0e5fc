import { shownNumber } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import type { OnProgress, Signal } from "../core/progress.js";
import { MOST_ROWS } from "./release-checks.js";

/** Options for the search for rows. */
export interface RowOptions {
  /** The search engine: `"auto"` and `"wasm"` are the same in this version. */
  engine?: "auto" | "wasm";
  /** How many rows to make, 1 … 10^7 (default: N̂ rounded, or the declared n). */
  rows?: number;
  /**
   * The search seed, an unsigned 32-bit integer (default: fresh, and recorded). It has nothing to do with the noise.
   */
  seed?: number;
  onProgress?: OnProgress;
  signal?: Signal;
}

export const ROW_OPTIONS: readonly (keyof RowOptions)[] = ["rows", "seed", "engine", "onProgress", "signal"];

/** @throws {StandinError} `options/rows`, `options/seed`, `options/engine` */
export function checkRowOptions({ rows, seed, engine = "auto" }: RowOptions): RowOptions {
  if (engine !== "auto" && engine !== "wasm")
    throw new StandinError(
      "options/engine",
      `"${engine}" is not an engine of this version.`,
      'Use "auto" or "wasm": they are the same here.',
    );
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= 1 && rows <= MOST_ROWS))
    throw new StandinError("options/rows", `rows is ${shownNumber(rows)}.`, "Use a whole number from 1 to 10,000,000.");
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    throw new StandinError(
      "options/seed",
      `seed is ${shownNumber(seed)}.`,
      "Give a whole number from 0 to 4,294,967,295.",
    );
  return { rows, seed };
}

/**
 * Refuses unknown options: a misspelt one must not silently become a default. @throws {StandinError} `options/unknown`
 */
export function onlyKnown(options: object, known: readonly string[]): void {
  const stray = Object.keys(options).find((name) => !known.includes(name));
  const open = known.filter((name) => !name.startsWith("unsafe"));
  if (stray !== undefined)
    throw new StandinError("options/unknown", `There is no option "${stray}" here.`, `Options: ${open.join(", ")}.`);
}
