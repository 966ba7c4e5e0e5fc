import type { Model } from "../models/model.js";
import type { EstimateName } from "../models/rows.js";
import type { Price } from "../privacy/plan.js";
import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { DrawContext, Draws } from "../selection/draw.js";
import type { Problem } from "../selection/problem.js";
import type { SelectionOptions } from "../selection/selection.js";

/** Settings of a mechanism's projection, as a release records them: names and numbers only. */
export type Settings = Readonly<Record<string, string | number>>;

/** What a user may ask of a mechanism. */
export interface MechanismOptions extends SelectionOptions {
  /** What the rows match: estimates made from all noisy answers, or these as they are (default: the mechanism's). */
  estimate?: EstimateName;
  /** The projection's settings: `{ method: "paper" }`, … (default: the mechanism's). */
  search?: Settings;
}

/** The same, checked and filled up with defaults. */
export interface CheckedOptions extends SelectionOptions {
  readonly estimate: EstimateName;
  readonly search: Settings;
}

/** A mechanism: what it pays for, what it draws, and the model that it fits to what was drawn. */
export interface Mechanism {
  readonly name: string;
  /** @throws {StandinError} `mechanism/settings`, `options/estimate` */
  options(asked: MechanismOptions): CheckedOptions;
  /**
   * What will be drawn, at what price: a rule on public facts alone.
   * @throws {StandinError} `options/…` where that cannot be met, `budget/too-small`
   */
  price(problem: Problem<CheckedOptions>): Price;
  draws(context: DrawContext<CheckedOptions>): Draws;
  model(problem: Pick<Problem<CheckedOptions>, "attributes" | "options">): Model;
  /** Engine memory in bytes that a model of so many rows needs, where these queries were measured. */
  memory(attributes: readonly Attribute[], queries: readonly Query[], rows: number): number;
}
