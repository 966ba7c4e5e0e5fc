import type { OptionTable, Settings } from "../core/option-table.js";
import type { Model } from "../models/model.js";
import type { Price } from "../privacy/ledger.js";
import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { DrawContext, Draws } from "../selection/draw.js";
import type { Problem } from "../selection/problem.js";
import type { MechanismOptions } from "./options.js";

/** What was asked of a mechanism, checked and filled up with defaults. A release records what rows are made by. */
export interface CheckedOptions extends MechanismOptions {
  /** What the rows match, as the mechanism names it. */
  readonly estimate: string & MechanismOptions["estimate"];
  /** How they are made. */
  readonly search: Settings;
}

/** A mechanism: what it pays for, what it draws, and the model that it fits to what was drawn. */
export interface Mechanism {
  readonly name: string;
  /** The options that it has. */
  readonly table: OptionTable;
  /** How it uses public rows (`Problem.publicTable`), if it does: a plan refuses those that would have no effect. */
  readonly publicTable?: "optional" | "required";
  /** @throws {StandinError} `mechanism/settings`, `options/estimate` */
  options(asked: MechanismOptions): CheckedOptions;
  /**
   * What will be drawn, at what price: a rule on public facts alone.
   * @throws {StandinError} `options/…` where that cannot be met, `budget/too-small`
   */
  price(problem: Problem<CheckedOptions>): Price;
  draws(context: DrawContext<CheckedOptions>): Draws;
  /** How many synthetic tables a release is for: more where analyses are combined over several. */
  tables(options: CheckedOptions): number;
  model(problem: Pick<Problem<CheckedOptions>, "attributes" | "publicTable" | "options">): Model;
  /** Engine memory in bytes that a model of so many rows needs, where these queries were measured. */
  memory(attributes: readonly Attribute[], queries: readonly Query[], rows: number): number;
}
