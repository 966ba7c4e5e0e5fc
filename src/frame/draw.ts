import type { Engines } from "../core/engines.js";
import { breathe, type OnProgress, type Signal } from "../core/progress.js";
import { mechanismNamed } from "../mechanisms/registry.js";
import type { Door } from "../privacy/door.js";
import type { QueryItem } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import type { Draw, DrawResult } from "../selection/draw.js";
import { Journal } from "./journal.js";
import type { Plan } from "./plan.js";
import type { ReleasedItem } from "./release.js";

/** How many items are measured between pauses in which the host can yield to its event loop. */
const BREATH = 64;

/** How many of the queries to come are announced in advance. */
const AHEAD = 16;

export interface DrawInput {
  readonly plan: Plan;
  readonly door: Door;
  /** The items that an earlier run of the same plan has drawn, taken unchanged. */
  readonly drawn: readonly ReleasedItem[];
  /** The search seed, 32 bits. */
  readonly seed: number;
  /** What does the heavy work. */
  readonly engines: Engines;
  /**
   * Called with everything drawn so far whenever it is worth keeping. The first call comes at the point where the
   * earlier run stopped, before anything new is drawn.
   */
  readonly onDrawn: (items: readonly ReleasedItem[]) => void | Promise<void>;
  readonly onProgress?: OnProgress;
  readonly signal?: Signal;
}

/**
 * Draws what a plan's mechanism requests, one draw after the other. Each draw depends only on public facts and on the
 * noisy answers and choices before it. What an earlier run has drawn is passed to the mechanism unchanged.
 */
export async function drawItems(input: DrawInput): Promise<readonly ReleasedItem[]> {
  const { plan, door, drawn, seed, engines, onDrawn, onProgress, signal } = input;
  const { ledger, problem } = plan;
  const journal = new Journal(door, drawn, plan.schema);
  const planned = [...ledger.items, ...ledger.shown].filter(isQueryItem).length;

  const measure = async (items: readonly QueryItem[]) => {
    const measurements: Measurement[] = [];
    const isPlanned = journal.items.length < planned;
    const tell = () =>
      isPlanned && onProgress?.({ phase: "measure", done: Math.min(journal.items.length, planned), of: planned });
    while (measurements.length < items.length) {
      const sinceBreath = journal.items.length % BREATH;
      if (!sinceBreath) {
        tell();
        await breathe(signal);
      }
      const at = measurements.length;
      const next = at + BREATH - sinceBreath;
      measurements.push(...(await journal.measure(items.slice(at, next), items.slice(next, next + AHEAD))));
    }
    tell();
    return measurements;
  };
  const answer = async (draw: Draw): Promise<DrawResult> => {
    const result = "choose" in draw ? await journal.select(draw.choose, draw.among) : await measure(draw.measure);
    if (draw.keep && journal.hasTakenAll) await onDrawn(journal.items);
    return result;
  };

  const mechanism = mechanismNamed(plan.mechanism);
  const model = mechanism.model({ ...problem, engines });
  const draws = mechanism.draws({ problem, ledger, model, seed, onProgress, signal });
  try {
    let next = await draws.next([]);
    while (!next.done) next = await draws.next(await answer(next.value));
    return journal.items;
  } finally {
    await draws.return();
    model.close();
  }
}
