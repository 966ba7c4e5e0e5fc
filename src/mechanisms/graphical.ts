// What the mechanisms of graphical models share.
import { optionText } from "../core/option-text.js";
import { cellsOver } from "../graphical/contraction.js";
import { junctionTreeCells } from "../graphical/triangulation.js";
import { expectRoom, GraphicalModel, type GraphicalSettings } from "../models/graphical.js";
import type { Price } from "../privacy/ledger.js";
import { filledSettings } from "../projection/settings.js";
import { expectMarginals } from "../queries/cells.js";
import type { Selection } from "../selection/selection.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { GRAPHICAL_OPTIONS, optionsOf } from "./options.js";

/** Of a fit. */
const DEFAULTS = { method: "mirror-descent", steps: 1000, tolerance: 0.003, megabytes: 80 };

/**
 * Where fits of everything that a workload has end, relative to the loss of noise alone (bench compare: with closer
 * fits, errors are up to 1.6 times as large at a small ε). What rounds or a tree chose stands out of its noise.
 */
export const WITHIN_NOISE = 0.95;

const settingsOf = ({ search = {}, megabytes = DEFAULTS.megabytes }: Partial<CheckedOptions>, noise = 0) =>
  filledSettings({ ...DEFAULTS, noise, megabytes }, search);

/** The most cells that the tables of the model may have. */
export const cellsIn = (options: CheckedOptions): number => (Number(settingsOf(options).megabytes) * 1e6) / 8;

/** What makes rows without tables, as the end of a hint: the search of private-gsd. */
function searchInstead(name: string): string {
  const { estimate } = optionsOf(name) ?? {};
  const isOption = estimate?.type === "choice" && estimate.choices.includes("shrunk");
  return `, or make rows by the search of private-gsd (${isOption ? optionText("estimate", "shrunk") : optionText("mechanism", "private-gsd")})`;
}

/**
 * @param selection what is measured, at what price
 * @param treeCells how many cells the model's tables have at least
 * @param noise the default of the setting
 */
export function graphicalMechanism(
  name: string,
  selection: Selection<CheckedOptions>,
  treeCells: (price: Price, sizes: readonly number[]) => number,
  noise = 0,
): Mechanism {
  return {
    name,
    table: GRAPHICAL_OPTIONS,
    options: (asked) => ({ ...asked, estimate: "graphical", search: settingsOf(asked, noise) }),
    price(problem) {
      expectMarginals(problem.workload, problem.attributes);
      const price = selection.price(problem);
      const sizes = problem.attributes.map(({ size }) => size);
      expectRoom(treeCells(price, sizes), Number(settingsOf(problem.options).megabytes), searchInstead(name));
      return price;
    },
    draws: (context) => selection.draws(context),
    tables: () => 1,
    model: ({ attributes, options }) =>
      new GraphicalModel(attributes, settingsOf(options, noise) as unknown as GraphicalSettings),
    memory: (attributes, queries, rows, _certain, options) =>
      GraphicalModel.bytes(attributes, queries, rows, cellsIn(options)),
  };
}

/** Of the sets that are measured. */
export const cellsOfAll = ({ measured }: Price, sizes: readonly number[]): number =>
  junctionTreeCells(
    measured.map(({ columns }) => columns),
    sizes,
  );

/** Of a tree with one-ways and the smallest candidate. */
export const cellsOfLeast = ({ candidates = [] }: Price, sizes: readonly number[]): number =>
  candidates.reduce(
    (least, { query }) => Math.min(least, junctionTreeCells([query.columns], sizes)),
    Number.POSITIVE_INFINITY,
  );

/** Of the largest pairs that a tree can have. */
export const cellsOfPairs = ({ measured }: Price, sizes: readonly number[]): number =>
  measured.reduce((sum, { columns }) => sum + cellsOver(columns, sizes), 0);
