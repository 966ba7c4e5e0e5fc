import { either, shownNumber, shownValue } from "./arguments.js";
import { StandinError } from "./errors.js";
import { methodTexts } from "./option-text.js";

/**
 * An option of a mechanism, stated once. The types of the API, the command line and the reference page derive from it.
 */
export type OptionSpec = {
  /** Its name on the command line, without the dashes, and the placeholder for its value in the help. */
  readonly flag: string;
  readonly value: string;
  /** What it does, for people: the meaning of each choice, and the default. */
  readonly help: string;
} & (
  | { readonly type: "choice"; readonly choices: readonly string[] }
  /** A whole number of at least 1, or one of a short list. */
  | { readonly type: "whole"; readonly choices?: readonly number[] }
  /** Settings by name. The command line accepts only their methods. */
  | { readonly type: "settings"; readonly methods: readonly string[] }
);

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Names mapped to strings or numbers. */
export type Settings = Readonly<Record<string, string | number>>;

/** The values that a user may set for an option. */
export type ValueOf<Spec extends OptionSpec> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { type: "settings" }
    ? Settings
    : number;

/** The values that a user may set for the options of a table. */
export type OptionValues<Table extends OptionTable> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

/**
 * Checks options against their table; of settings only that they are settings.
 * @param given options of this table; those that are undefined were not given
 * @throws {StandinError} `options/<name>`
 */
export function checkOptions(table: OptionTable, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    const spec = table[name];
    if (value === undefined || fits(value, spec)) continue;
    const found = spec.type === "choice" ? shownValue(value) : shownNumber(value);
    const use = spec.type === "settings" ? methodTexts(name, spec.flag, spec.methods) : valuesOf(spec);
    throw new StandinError(`options/${name}`, `${name} is ${found}.`, `Use ${use}.`);
  }
}

function fits(value: unknown, spec: OptionSpec): boolean {
  if (spec.type === "settings") return typeof value === "object" && value !== null;
  if (spec.choices) return spec.choices.some((choice) => choice === value);
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function valuesOf(spec: Exclude<OptionSpec, { type: "settings" }>): string {
  if (!spec.choices) return "a whole number of at least 1";
  const words = spec.choices.map((choice) => JSON.stringify(choice));
  return either(words);
}
