import { either, expectArgument, shownNumber, shownValue } from "../core/arguments.js";
import { ENGINES, type EngineName, Engines, GPU_FROM, type GpuKernel } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import type { OnProgress, Signal } from "../core/progress.js";
import { MOST_ROWS } from "./release-checks.js";

/** Options for the search for rows. */
export interface RowOptions {
  /**
   * What does the heavy work. `"auto"` (default): a GPU, if there is one and the work is large enough for it, else the
   * WASM engine. `"wasm"`: never a GPU. `"webgpu"`: a GPU, for everything that it can do. Rows are the same, but
   * for mechanisms that fit numbers with fractions (`rap`, `rap-softmax`, `rap++`): a GPU rounds these differently.
   */
  engine?: EngineName;
  /** From how many elements on `"auto"` gives a kernel's work to a GPU, in place of the package's own figures. */
  gpuFrom?: Readonly<Partial<Record<GpuKernel, number>>>;
  /** How many rows to make, 1 … 10^7 (default: N̂ rounded, or the declared n). */
  rows?: number;
  /**
   * The search seed, an unsigned 32-bit integer (default: fresh, and recorded). It has nothing to do with the noise.
   */
  seed?: number;
  onProgress?: OnProgress;
  signal?: Signal;
}

type EngineOptions = Pick<RowOptions, "engine" | "gpuFrom" | "onProgress">;

export const ROW_OPTIONS: readonly (keyof RowOptions)[] = [
  ...(["rows", "seed", "engine", "gpuFrom", "onProgress", "signal"] as const),
];

/** @throws {StandinError} `options/rows`, `options/seed` */
export function checkRowOptions({ rows, seed }: Pick<RowOptions, "rows" | "seed">): Pick<RowOptions, "rows" | "seed"> {
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

/** Where options carry engines that are open already. */
const OPENED = Symbol("engines");

/** The options, with engines that are open: a run opens them once, before it begins, and goes on if a GPU is lost. */
export const withEngines = <Options extends object>(options: Options, engines: Engines): Options => ({
  ...options,
  [OPENED]: engines,
});

/**
 * The choice of engines for a run.
 * @throws {StandinError} `options/engine`, `options/gpuFrom`; `gpu/none` where a GPU was asked for and there is none
 */
export async function openEngines(options: EngineOptions & { readonly [OPENED]?: Engines }): Promise<Engines> {
  const { engine, gpuFrom = {}, onProgress, [OPENED]: opened } = options;
  if (opened) return opened;
  const isPlain =
    typeof gpuFrom === "object" && gpuFrom !== null && Object.getPrototypeOf(gpuFrom) === Object.prototype;
  expectArgument(isPlain, "an object as gpuFrom, such as { marginal: 1e9 }");
  if (engine !== undefined && !ENGINES.includes(engine))
    throw new StandinError("options/engine", `${shownValue(engine)} is not an engine.`, `Use ${either(ENGINES)}.`);
  const given = Object.entries(gpuFrom).filter(([, from]) => from !== undefined);
  for (const [kernel, from] of given)
    if (!Object.hasOwn(GPU_FROM, kernel) || !(typeof from === "number" && from >= 0))
      throw new StandinError(
        "options/gpuFrom",
        `A GPU is asked for from ${shownNumber(from)} elements of ${shownValue(kernel)} on.`,
        `Give a number from 0 for any of: ${Object.keys(GPU_FROM).join(", ")}.`,
      );
  const engines = new Engines(engine, Object.fromEntries(given), (use) => onProgress?.({ phase: "engine", ...use }));
  await engines.check();
  return engines;
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
