// What the mechanisms of graphical models share.
import { GraphicalModel, type GraphicalSettings } from "../models/graphical.js";
import { filledSettings } from "../projection/settings.js";
import type { Selection } from "../selection/selection.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { GRAPHICAL_OPTIONS } from "./options.js";

/** Of a fit. */
const DEFAULTS = { method: "mirror-descent", steps: 1000, tolerance: 0.003, megabytes: 80 };

export const settingsOf = ({ search = {}, megabytes = DEFAULTS.megabytes }: Partial<CheckedOptions>) =>
  filledSettings({ ...DEFAULTS, megabytes }, search);

/** The most cells that the tables of the model may have. */
export const cellsIn = (options: CheckedOptions): number => (Number(settingsOf(options).megabytes) * 1e6) / 8;

/** @param selection what is measured, at what price */
export function graphicalMechanism(name: string, selection: Selection<CheckedOptions>): Mechanism {
  return {
    name,
    table: GRAPHICAL_OPTIONS,
    options: (asked) => ({ ...asked, estimate: "graphical", search: settingsOf(asked) }),
    ...selection,
    tables: () => 1,
    model: ({ attributes, options }) => new GraphicalModel(attributes, settingsOf(options) as GraphicalSettings),
    memory: () => 0,
  };
}
