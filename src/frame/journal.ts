import { StandinError } from "../core/errors.js";
import type { ScoredGroup } from "../privacy/candidates.js";
import type { Door } from "../privacy/door.js";
import {
  type Item,
  itemJson,
  measurementJson,
  type QueryItem,
  type SelectionItem,
  selectionJson,
  sigma2Of,
} from "../privacy/items.js";
import type { Measurement } from "../queries/measurement.js";
import type { Schema } from "../schema/schema.js";
import type { ReleasedItem } from "./release.js";

/**
 * Everything drawn so far, in order. Items that an earlier run has drawn are taken from its record and never drawn
 * again; the rest comes through the door.
 */
export class Journal {
  readonly #items: ReleasedItem[] = [];

  constructor(
    readonly door: Door,
    readonly drawn: readonly ReleasedItem[],
    readonly schema: Schema,
  ) {}

  get items(): readonly ReleasedItem[] {
    return this.#items;
  }

  /** Whether everything that the earlier run recorded has been taken. */
  get hasTakenAll(): boolean {
    return this.#items.length >= this.drawn.length;
  }

  /** @param coming the items that will be measured after them, as far as they are known */
  async measure(items: readonly QueryItem[], coming: readonly QueryItem[] = []): Promise<Measurement[]> {
    const measurements: Measurement[] = [];
    const keep = (item: QueryItem, measurement: Measurement) => {
      this.#items.push({ item: measurementJson(item, this.schema), measurement });
      measurements.push(measurement);
    };
    for (const item of items) {
      const recorded = this.#recorded(item);
      if (!recorded || !("measurement" in recorded)) break;
      keep(item, recorded.measurement);
    }
    const left = items.slice(measurements.length);
    const answers = left.length ? await this.door.measure(left, coming) : [];
    for (const [at, item] of left.entries())
      keep(item, { query: item.query, answers: answers[at], sigma2: sigma2Of(item) });
    return measurements;
  }

  /** The numbers of the chosen candidates, in the order of choice. */
  async select(item: SelectionItem, among: readonly ScoredGroup[]): Promise<readonly number[]> {
    const recorded = this.#recorded(item);
    const chosen = recorded && "chosen" in recorded ? recorded.chosen : await this.door.select(item, among);
    this.#items.push({ item: selectionJson(item), chosen });
    return chosen;
  }

  /**
   * The result that the earlier run recorded for this item, if it came this far.
   * @throws {StandinError} `release/other-plan` where it recorded a different item
   */
  #recorded(item: Item): ReleasedItem | undefined {
    const recorded = this.drawn[this.#items.length];
    if (!recorded) return undefined;
    if (JSON.stringify(recorded.item) !== JSON.stringify(itemJson(item, this.schema)))
      throw new StandinError(
        "release/other-plan",
        `Item ${this.#items.length + 1} of this release is not what its plan would draw.`,
        "Continue with the file as the interrupted run left it.",
      );
    this.door.passOver(item);
    return recorded;
  }
}
