#!/usr/bin/env node
// The command line. The modules of a command are loaded when it runs, so help and refused options answer at once.
import { StandinError } from "../core/errors.js";
import { writeForCommandLine } from "../core/option-text.js";
import { VERSION } from "../core/version.js";
import { AUTO, DEFAULT_MECHANISM, MECHANISM_OPTIONS, optionsOf } from "../mechanisms/options.js";
import {
  DIALECT_OPTIONS,
  didYouMean,
  isMechanismFlag,
  OPTIONS,
  type OptionName,
  Options,
  RELEASE_OPTIONS,
} from "./options.js";
import { print } from "./output.js";
import { Run } from "./run.js";

interface Command {
  readonly summary: string;
  readonly usage: readonly string[];
  readonly example: string;
  readonly options: readonly OptionName[];
  load(): Promise<{ run(options: Options, run: Run): Promise<void> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  schema: {
    summary: "propose a schema, with each fact marked as read from the rows; NOT PRIVATE",
    usage: ["standin schema TABLE -o FILE [options]"],
    example: "standin schema people.csv -o people.schema.json",
    options: ["output", "max-categories", ...DIALECT_OPTIONS, "quiet"],
    load: () => import("./schema.js"),
  },
  confirm: {
    summary: "declare that facts read from the rows are known independently of this table",
    usage: [
      "standin confirm SCHEMA                        list the facts that were read, with their values",
      "standin confirm SCHEMA --all | --columns A,B  declare them: rewrites the file SCHEMA in place",
    ],
    example: "standin confirm people.schema.json --columns age,sex",
    options: ["all", "columns"],
    load: () => import("./confirm.js"),
  },
  check: {
    summary: "show what a schema would change in a table: cells clipped, unlisted, missing; NOT PRIVATE",
    usage: ["standin check TABLE --schema FILE [options]", "standin check --synthetic TABLE --schema FILE [options]"],
    example: "standin check people.csv --schema people.schema.json",
    options: ["synthetic", "schema", "public-rows", ...DIALECT_OPTIONS, "json", "quiet"],
    load: () => import("./check.js"),
  },
  plan: {
    summary: "show what a release would measure, with what noise and at what cost; reads no data",
    usage: ["standin plan --schema FILE --epsilon E [options]"],
    example: "standin plan --schema people.schema.json --epsilon 1",
    options: [...RELEASE_OPTIONS, "json"],
    load: () => import("./plan.js"),
  },
  synth: {
    summary: "make a differentially private stand-in for a table",
    usage: [
      "standin synth TABLE --schema FILE --epsilon E -o FILE [options]",
      "standin synth TABLE --resume RELEASE [--ledger FILE] -o FILE",
      "standin synth --from RELEASE [--rows N] [--seed S] -o FILE",
    ],
    example: "standin synth people.csv --schema people.schema.json --epsilon 1 -o synthetic.csv",
    options: ["from", "resume", ...RELEASE_OPTIONS, "threads", "output", "release", ...DIALECT_OPTIONS],
    load: () => import("./synth.js"),
  },
  evaluate: {
    summary: "show how far a synthetic table's answers are from the real one's; NOT PRIVATE",
    usage: ["standin evaluate --real TABLE --synthetic TABLE --schema FILE [options]"],
    example: "standin evaluate --real people.csv --synthetic synthetic.csv --schema people.schema.json",
    options: [
      "real",
      "synthetic",
      "schema",
      "workload",
      "queries",
      "target",
      "test",
      ...DIALECT_OPTIONS,
      "json",
      "quiet",
    ],
    load: () => import("./evaluate.js"),
  },
};

const EXIT = { done: 0, fault: 1, refused: 2, interrupted: 130 } as const;
/** Faults of standin itself. Everything else that it refuses is due to an input, an option or the system. */
const FAULTS = /^(engine\/(?!memory)|privacy\/(?!no-random)|files\/fault$)/;

async function main(argv: readonly string[]): Promise<number> {
  const run = new Run();
  const fail = (error: unknown): number => {
    const [code, [sentence, ...more]] = verdict(error, run.privateDataOpened);
    run.end(`standin: ${sentence}`, ...more);
    return code;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      run.end("standin: interrupted.");
      process.exit(EXIT.interrupted);
    });
  process.on("uncaughtException", (error) => process.exit(fail(error)));
  try {
    await dispatch(argv, run);
    return EXIT.done;
  } catch (error) {
    return fail(error);
  }
}

async function dispatch([name, ...rest]: readonly string[], run: Run): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h") return print(overview());
  if (name === "--version") return print(`${VERSION}\n`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command)
    throw new StandinError(
      "options/command",
      `"${name}" is not a standin command.`,
      didYouMean(name, Object.keys(COMMANDS)) ?? `The commands are ${Object.keys(COMMANDS).join(", ")}.`,
    );
  const options = new Options(rest, name, [...command.options, "help"]);
  const mechanisms = [...Object.keys(MECHANISM_OPTIONS), AUTO];
  if (options.has("help")) return print(helpOf(command, options.choice("mechanism", mechanisms) ?? DEFAULT_MECHANISM));
  const { run: execute } = await command.load();
  await execute(options, run);
}

/**
 * The exit code and the lines for an error: one, except for an error that shows its place in a text. Once private data
 * has been opened, the text of a fault is not shown, because it could contain a cell.
 */
function verdict(error: unknown, privateDataOpened: boolean): [number, string[]] {
  if (error instanceof StandinError) {
    const { code, message, excerpt } = error;
    return [FAULTS.test(code) ? EXIT.fault : EXIT.refused, excerpt ? message.split("\n") : [message]];
  }
  const cause = error instanceof Error && !privateDataOpened ? ` (${error.message})` : "";
  return [EXIT.fault, [`a bug in standin ended the run${cause}. Please report it.`]];
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return `standin ${VERSION}: differentially private stand-ins for sensitive tables

${commands.join("\n")}

standin COMMAND --help shows a command's options; standin --version shows the version.

Example
  ${COMMANDS.synth.example}
`;
}

/** @param mechanism whose own options are listed, for a command that takes them */
function helpOf({ summary, usage, options, example }: Command, mechanism: string): string {
  const own = Object.values(optionsOf(mechanism) ?? {});
  const general = [...options, "help" as const].filter((name) => !isMechanismFlag(name));
  const left = ({ flag, value }: { flag: string; value?: string }) => `--${flag}${value ? ` ${value}` : ""}`;
  const lists: { title: string; list: { flag: string; value?: string; help: string }[] }[] = [
    { title: "Options", list: general.map((name) => ({ flag: name, ...OPTIONS[name] })) },
  ];
  if (options.includes("mechanism") && own.length)
    lists.push({ title: `Options of ${mechanism} (others have their own: --mechanism NAME --help)`, list: own });
  const width = Math.max(...lists.flatMap(({ list }) => list.map((option) => left(option).length)));
  const listed = lists.map(({ title, list }) => {
    const lines = list.map((option) => `  ${left(option).padEnd(width)}  ${option.help}`);
    return `${title}\n${lines.join("\n")}\n`;
  });
  return `${usage.join("\n")}\n\n${summary}\n\n${listed.join("\n")}\nExample\n  ${example}\n`;
}

writeForCommandLine();
process.exitCode = await main(process.argv.slice(2));
