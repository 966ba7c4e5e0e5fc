import { expectArgument } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import type { Schema } from "../schema/schema.js";

/**
 * The attributes that are targets.
 * @throws {StandinError} `evaluate/target` for a column that is not modelled, or named twice, and if there is none;
 *   `options/argument`
 * @internal
 */
export function targetPlaces({ attributes }: Schema, targets: readonly string[]): number[] {
  expectArgument(Array.isArray(targets), "a list of columns to predict", 'Write ["sex"] for one column.');
  const names = attributes.map(({ name }) => name);
  const wrong = targets.find((name, at) => !names.includes(name) || targets.indexOf(name) < at);
  if (!targets.length || wrong !== undefined)
    throw new StandinError(
      "evaluate/target",
      wrong === undefined
        ? "No target was named."
        : names.includes(wrong)
          ? `The target "${wrong}" was named twice.`
          : `The target "${wrong}" is not a column that the schema models.`,
      `Modelled columns: ${names.join(", ")}.`,
    );
  return targets.map((name) => names.indexOf(name));
}
