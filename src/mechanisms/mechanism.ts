import type { Engines } from "../core/engines.js";
import type { OptionTable, Settings } from "../core/option-table.js";
import type { Attribute } from "../domain/attribute.js";
import type { DomainPart } from "../models/domain-parts.js";
import type { Model, PublicTable } from "../models/model.js";
import type { Price } from "../privacy/ledger.js";
import type { Query } from "../queries/query.js";
import type { DrawContext, Draws } from "../selection/draw.js";
import type { Problem } from "../selection/problem.js";
import type { ExpectedErrors } from "../selection/weighted-marginals.js";
import type { MechanismOptions } from "./options.js";

/**
 * The options of a mechanism, checked and completed with defaults. A release records those that its rows are made by.
 */
export interface CheckedOptions extends Omit<MechanismOptions, "estimate" | "search"> {
  /** The name of what the rows match, as given by the mechanism. */
  readonly estimate: string;
  /** The settings of the search for the rows. */
  readonly search: Settings;
}

/** A mechanism: what it pays for, what it draws, and the model that it fits to the results. */
export interface Mechanism {
  readonly name: string;
  /** Its options. */
  readonly table: OptionTable;
  /** How it uses public rows (`Problem.publicTable`), if it does: a plan refuses those that would have no effect. */
  readonly publicTable?: "optional" | "required";
  /**
   * Completes options, each of which fits its table. A release records `estimate` and `search`, and `resample` passes
   * nothing else: what `model` and `tables` need must be in these two, also if the table has no such options.
   * @throws {StandinError} `mechanism/settings`, `options/estimate`
   */
  options(asked: Partial<CheckedOptions>): CheckedOptions;
  /**
   * The items to draw and their prices, by a rule that uses public facts only.
   * @throws {StandinError} `options/…` where the request cannot be met, `budget/too-small`
   */
  price(problem: Problem<CheckedOptions>): Price;
  draws(context: DrawContext<CheckedOptions>): Draws;
  /** The number of synthetic tables that a release is for: more than one where analyses are combined over several. */
  tables(options: CheckedOptions): number;
  /**
   * @param modelled `engines` says what may run on a GPU; without them, nothing does. `workload` has all queries that
   * the model may have to answer; without it, these are the ones that it is fitted to.
   */
  model(
    modelled: Pick<Problem<CheckedOptions>, "attributes" | "publicTable" | "options"> & {
      readonly engines?: Engines;
      readonly workload?: readonly Query[];
    },
  ): Model;
  /**
   * The engine memory, in bytes, that a model with this many rows needs at most.
   * @param queries those that are measured at most
   * @param certain those of them that are measured in any case
   * @param publicTable the rows that the model is given, if any
   */
  memory(
    attributes: readonly Attribute[],
    queries: readonly Query[],
    rows: number,
    certain: readonly Query[],
    options: CheckedOptions,
    publicTable?: PublicTable,
  ): number;
  /** The parts of the domain that its model keeps apart, if it has all combinations of their codes in memory. */
  parts?(problem: Problem<CheckedOptions>): readonly DomainPart[];
  /** The errors of the workload's answers, if they are known before any data is seen. */
  expected?(problem: Problem<CheckedOptions>, price: Pick<Price, "items">): ExpectedErrors;
}
