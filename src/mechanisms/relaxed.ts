// What RAP and RAPsoftmax share: their rounds, and relaxed rows as the model.
import { RelaxedModel, type RelaxedSettings } from "../models/relaxed.js";
import { filledSettings } from "../projection/settings.js";
import { relaxedRounds } from "../selection/relaxed-rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { RELAXED_OPTIONS } from "./options.js";

/** @param defaults the settings of its fits, with the method's name */
export function relaxedMechanism(
  name: string,
  relaxation: RelaxedSettings["relaxation"],
  defaults: { readonly method: string; readonly rows: number; readonly steps: number; readonly rate: number },
): Mechanism {
  const settingsOf = ({ search = {} }: Partial<CheckedOptions>) => filledSettings({ ...defaults }, search);
  return {
    name,
    table: RELAXED_OPTIONS,
    options: ({ search, ...selection }) => ({ ...selection, estimate: "raw", search: settingsOf({ search }) }),
    ...relaxedRounds,
    tables: () => 1,
    model: ({ attributes, options, engines }) =>
      new RelaxedModel(attributes, { ...settingsOf(options), relaxation }, engines),
    memory: (attributes, queries, _rows, _certain, options) =>
      RelaxedModel.bytes(attributes, settingsOf(options).rows, queries),
  };
}
