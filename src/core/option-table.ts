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

type ValueOf<Spec extends OptionSpec> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { type: "settings" }
    ? Settings
    : number;

/** The values that a user may set for the options of a table. */
export type OptionValues<Table extends OptionTable> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]> };
