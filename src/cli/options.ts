import { parseArgs } from "node:util";
import { either } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { nearest } from "../core/spelling.js";
import { ALL_OPTIONS, AUTO, DEFAULT_MECHANISM, MECHANISM_OPTIONS, type MechanismFlag } from "../mechanisms/options.js";

interface OptionKind {
  /** The placeholder for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** Whether it may be given several times. */
  readonly many?: true;
}

/** Every option of every command, in the order in which the help lists them. */
export const OPTIONS = {
  from: { value: "RELEASE", help: "make rows from a release.json: needs no data, spends no budget" },
  resume: {
    value: "RELEASE",
    help: "continue the rounds of an interrupted run, with the same table: spends no new budget",
  },
  real: { value: "TABLE", help: "the real table" },
  synthetic: { value: "TABLE", help: "the synthetic table" },
  target: {
    value: "COLUMN",
    help: "plan, synth: a column that the rows should predict well; evaluate: train classifiers that predict these columns (A,B) on both tables, and compare them",
    many: true,
  },
  test: {
    value: "TABLE",
    help: "the real rows to test them on, which were held out (default: a fifth of the real table)",
  },
  schema: { value: "FILE", help: "the table's schema" },
  epsilon: { value: "E", help: "the privacy budget ε, from 1e-6 to 1000" },
  rho: { value: "R", help: "the budget as ρ of zero-concentrated privacy, instead of ε" },
  delta: { value: "D", help: "δ, a public number (default 1e-9), or 1/n2 with --public-rows" },
  neighbours: { value: "RELATION", help: "add-remove (default; the number of rows is private) or replace" },
  "public-rows": { value: "N", help: "the declared number of rows, for --neighbours replace" },
  public: {
    value: "TABLE",
    help: "public rows of the same schema: never counted; the search is initialised from them",
  },
  mechanism: {
    value: "NAME",
    help:
      `${Object.keys(MECHANISM_OPTIONS).join(", ")}; or ${AUTO}, which picks one ` +
      `(default ${DEFAULT_MECHANISM}, or ${AUTO} without a workload)`,
  },
  workload: {
    value: "W",
    help:
      '1-way, 2-way, …, or a JSON file of column sets [["age", "sex"], …] and other queries (default: 2-way; ' +
      "plans of columns with few values have larger sets)",
  },
  queries: {
    value: "FILE",
    help: 'more queries: a JSON list such as [{"expression": "age < 30 and income >= 50000"}, …]',
  },
  ...(Object.fromEntries(Object.values(ALL_OPTIONS).map(({ flag, value, help }) => [flag, { value, help }])) as Record<
    MechanismFlag,
    OptionKind
  >),
  rows: {
    value: "N",
    help: "the number of rows to make (default: the noisy estimate of the table's number of rows; with --from, the release's own)",
  },
  seed: {
    value: "S",
    help: "the seed of the search; the noise does not depend on it (default: a random one; with --from, the release's own)",
  },
  ledger: { value: "FILE", help: "the ledger file of the budget that several releases of the same people share" },
  "allow-unreviewed-schema": { help: "accept facts that were read from the rows; the release then has no guarantee" },
  engine: {
    value: "NAME",
    help: "auto (default: a GPU where there is one and the work is large), wasm or webgpu",
  },
  "gpu-from": {
    value: "KERNEL=N",
    help: "with auto: use the GPU from N elements of this kernel's work on; may be given more than once",
    many: true,
  },
  threads: {
    value: "N",
    help: "the number of threads that read and count, 1 to 64 (default 1); the output does not depend on it",
  },
  output: { value: "FILE", help: "-o: where to write the result (default -, standard output; .gz is compressed)" },
  release: { value: "FILE", help: "where to keep the measured part; more rows can be made from it at no cost" },
  delimiter: { value: "C", help: 'the field separator, one character or "tab"' },
  encoding: { value: "NAME", help: "the table's encoding (default utf-8)" },
  "skip-lines": { value: "N", help: "the number of lines above the header" },
  missing: { value: "TEXT", help: "a spelling of missing cells; may be given more than once", many: true },
  "max-categories": {
    value: "N",
    help: "list the texts of a column as its categories if at most this many differ (default 50)",
  },
  all: { help: "confirm every fact" },
  columns: { value: "A,B", help: "confirm the facts of these columns; may be given more than once", many: true },
  json: { help: "print JSON" },
  quiet: { help: "show no progress" },
  help: { help: "show this help" },
} satisfies Record<string, OptionKind>;

export type OptionName = keyof typeof OPTIONS;

const MECHANISM_FLAGS = Object.values(ALL_OPTIONS).map(({ flag }) => flag as MechanismFlag);

/** Whether an option is one of mechanisms, each of which has its own help for it. */
export const isMechanismFlag = (name: OptionName): boolean => MECHANISM_FLAGS.some((flag) => flag === name);

/** The options that describe a release before any data is seen. */
export const RELEASE_OPTIONS: readonly OptionName[] = [
  "schema",
  "epsilon",
  "rho",
  "delta",
  "neighbours",
  "public-rows",
  "public",
  "mechanism",
  "workload",
  "target",
  "queries",
  ...MECHANISM_FLAGS,
  "rows",
  "seed",
  "ledger",
  "allow-unreviewed-schema",
  "engine",
  "gpu-from",
  "quiet",
];
/** The options that describe how a table's file is written. */
export const DIALECT_OPTIONS: readonly OptionName[] = ["delimiter", "encoding", "skip-lines", "missing"];

const kindOf = (name: OptionName): OptionKind => OPTIONS[name];
const isOption = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name);
const refuse = (message: string, hint?: string) => new StandinError("options/refused", message, hint);

/**
 * The options of one call. Every method throws a StandinError that names the option if the user's text cannot be a
 * valid value.
 */
export class Options {
  readonly #values = new Map<OptionName, string[]>();
  readonly positionals: string[] = [];

  /**
   * @param command its name in messages
   * @param allowed the options that it has
   */
  constructor(
    argv: readonly string[],
    readonly command: string,
    allowed: readonly OptionName[],
  ) {
    const { tokens } = parseArgs({
      args: [...argv],
      options: {
        ...Object.fromEntries(
          allowed.map((name) => [name, { type: kindOf(name).value ? ("string" as const) : ("boolean" as const) }]),
        ),
        help: { type: "boolean", short: "h" },
        output: { type: "string", short: "o" },
      },
      strict: false,
      allowPositionals: true,
      tokens: true,
    });
    for (const token of tokens) {
      if (token.kind === "positional") this.positionals.push(token.value);
      if (token.kind === "option") this.#add(token, allowed);
    }
  }

  /** The options that were given. */
  get given(): OptionName[] {
    return [...this.#values.keys()];
  }

  has(name: OptionName): boolean {
    return this.#values.has(name);
  }

  text(name: OptionName): string | undefined {
    return this.#values.get(name)?.[0];
  }

  texts(name: OptionName): readonly string[] | undefined {
    return this.#values.get(name);
  }

  required(name: OptionName): string {
    const value = this.text(name);
    if (value === undefined)
      throw refuse(
        `standin ${this.command} needs --${name} ${kindOf(name).value}.`,
        `See standin ${this.command} --help.`,
      );
    return value;
  }

  choice<Choice extends string>(name: OptionName, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && !found)
      throw refuse(`--${name} is "${value}"; it must be ${either(choices)}.`, didYouMean(value, choices));
    return found;
  }

  /** A number in the one notation that every locale reads alike: digits, a point, an exponent. */
  number(name: OptionName): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
    if (!Number.isFinite(number))
      throw refuse(`--${name} is "${value}", which is not a finite number.`, "Write numbers as 1, 0.5 or 1e-9.");
    return number;
  }

  whole(name: OptionName): number | undefined {
    const number = this.number(name);
    if (number !== undefined && !(Number.isSafeInteger(number) && number >= 0))
      throw refuse(`--${name} is "${this.text(name)}", which is not a whole number of at least 0.`);
    return number;
  }

  #add(
    { name, rawName, value, inlineValue }: { name: string; rawName: string; value?: string; inlineValue?: boolean },
    allowed: readonly OptionName[],
  ): void {
    if (!isOption(name) || !allowed.includes(name)) {
      const known = allowed.map((option) => `--${option}`);
      throw refuse(
        `${rawName} is not an option of standin ${this.command}.`,
        didYouMean(rawName, known) ?? `See standin ${this.command} --help.`,
      );
    }
    const { value: takesValue, many } = kindOf(name);
    if (!takesValue) {
      if (value !== undefined) throw refuse(`${rawName} takes no value, but "${value}" was given.`);
    } else if (value === undefined || (value === "" && !many)) throw refuse(`${rawName} needs a value: ${takesValue}.`);
    else if (!inlineValue && value.startsWith("-") && value !== "-")
      throw refuse(
        `${rawName} is followed by "${value}", which looks like an option.`,
        `Write ${rawName}=${value} if that is the value.`,
      );
    const before = this.#values.get(name);
    if (before && takesValue && !many) throw refuse(`${rawName} was given twice.`);
    this.#values.set(name, [...(before ?? []), value ?? ""]);
  }
}

/** A question that suggests the word of `known` nearest to `word`, if one is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  return near && `Did you mean ${near}?`;
}
