// Random prefixes (Liu et al. 2023): a category, and values below thresholds in two numeric columns.
import type { Report, Setting } from "./bench.js";
import { COUNT, compareRandomSets } from "./random-sets.js";

export default function prefix(report: Report, setting: Setting): Promise<void> {
  return compareRandomSets(
    "prefix",
    ({ attributes }) => ({
      query: "random-prefixes",
      columns: attributes.map(({ name }) => name),
      count: COUNT,
      seed: 1,
    }),
    report,
    setting,
  );
}
