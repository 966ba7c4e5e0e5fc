// Random half-spaces over the one-hot vector (Liu et al. 2023): all columns, numeric ones by their values.
import type { Report, Setting } from "./bench.js";
import { COUNT, compareRandomSets } from "./random-sets.js";

export default function halfspace(report: Report, setting: Setting): Promise<void> {
  return compareRandomSets(
    "halfspace",
    ({ attributes }) => ({
      query: "random-half-spaces",
      columns: attributes.map(({ name }) => name),
      count: COUNT,
      seed: 1,
    }),
    report,
    setting,
  );
}
