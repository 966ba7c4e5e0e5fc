/** An option of a mechanism, stated once: the API's types, the command line and the reference page derive from it. */
export type OptionSpec = {
  /** Its name on the command line, without the dashes, and what stands for the value in the help. */
  readonly flag: string;
  readonly value: string;
  /** What it does, for people: what each choice means, and the default. */
  readonly help: string;
} & (
  | { readonly type: "choice"; readonly choices: readonly string[] }
  /** A whole number from 1, or one of a few. */
  | { readonly type: "whole"; readonly choices?: readonly number[] }
  /** Settings by name; the command line knows their methods alone. */
  | { readonly type: "settings"; readonly methods: readonly string[] }
);

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Names and numbers. */
export type Settings = Readonly<Record<string, string | number>>;

type ValueOf<Spec extends OptionSpec> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { type: "settings" }
    ? Settings
    : number;

/** What a user may ask for by the options of a table. */
export type OptionValues<Table extends OptionTable> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]> };
