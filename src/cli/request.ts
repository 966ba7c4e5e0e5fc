import { existsSync } from "node:fs";
import { ENGINES } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import type { OptionSpec } from "../core/option-table.js";
import { pathBytes, pathStats } from "../files/path.js";
import { checkRowOptions, type RowOptions } from "../frame/options.js";
import { expectReviewed } from "../frame/plan.js";
import {
  ALL_OPTIONS,
  DEFAULT_MECHANISM,
  type MechanismFlag,
  type MechanismOptions,
  mechanismsWith,
  optionsOf,
} from "../mechanisms/options.js";
import {
  type Dialect,
  type Plan,
  type PlanOptions,
  parseSchema,
  plan,
  type QueryList,
  readCsv,
  type Schema,
  type Table,
  type Workload,
} from "../node.js";
import type { Options } from "./options.js";
import { streamOrPath } from "./paths.js";
import { say } from "./stderr.js";
import { shellWord } from "./words.js";

/**
 * A whole text file, decompressed if the name ends in `.gz`; `-` is standard input. @throws {StandinError}
 * `files/refused`
 */
export async function readText(path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of path === "-" ? process.stdin : pathBytes(path)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The schema, with whatever the options state instead about how the table's file is written. */
export async function readSchema(options: Options): Promise<Schema> {
  const missing = options.texts("missing");
  const dialect = dialectOf(options);
  const stated = parseSchema(await readJson(streamOrPath(options.required("schema")), "schema"));
  if (!missing && !Object.keys(dialect).length) return stated;
  const { missingValues, ...rest } = stated.toJSON();
  return parseSchema({ ...rest, missingValues: missing ?? missingValues, dialect: { ...stated.dialect, ...dialect } });
}

/**
 * The schema for a synthetic table. standin writes UTF-8 with the header first, whatever the real table's file was
 * like. The options apply to both.
 */
export function asSynthetic(schema: Schema, options: Options): Schema {
  const { delimiter } = schema.dialect;
  const { encoding: _, ...descriptor } = schema.toJSON();
  return parseSchema({ ...descriptor, dialect: { ...(delimiter && { delimiter }), ...dialectOf(options) } });
}

/** The workload that the user gave: `k-way`, or the column sets in a JSON file. */
export async function readWorkload(options: Options): Promise<Workload | undefined> {
  const text = options.text("workload");
  if (text === undefined || /^\d+-way$/.test(text)) return text as Workload | undefined;
  if (text !== "-" && !existsSync(text))
    throw new StandinError(
      "workload/unknown",
      `--workload is "${text}", which is neither 1-way, 2-way, … nor a file.`,
      'Such a file holds a JSON list of column sets: [["age", "sex"], ["age", "income"]].',
    );
  return (await readJson(streamOrPath(text), "workload")) as Workload;
}

/** The queries besides the workload that the user gave in a JSON file, if any. */
export async function readQueries(options: Options): Promise<QueryList | undefined> {
  if (!options.has("queries")) return undefined;
  return (await readJson(streamOrPath(options.required("queries")), "queries")) as QueryList;
}

/**
 * The public table that was named, if any.
 * @throws {StandinError} as `readCsv`, with the file's name
 */
export async function readPublicTable(options: Options, schema: Schema): Promise<Table | undefined> {
  if (!options.has("public")) return undefined;
  const path = streamOrPath(options.required("public"));
  checkReadable(path);
  try {
    return await readCsv(path === "-" ? process.stdin : path, schema);
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    throw new StandinError(error.code, `The public table ${path} cannot be used: ${error.message}`);
  }
}

/**
 * The plan that the options request, made from public facts alone: the schema and, if one was named, the public table.
 * Prints the plan's warnings. Every option is read before the schema.
 */
export async function readPlan(options: Options): Promise<{ plan: Plan; publicTable: Table | undefined }> {
  const request: PlanOptions = {
    epsilon: options.number("epsilon"),
    rho: options.number("rho"),
    delta: options.text("delta") === "1/n2" ? "1/n2" : options.number("delta"),
    neighbours: options.choice("neighbours", ["add-remove", "replace"]),
    publicRows: options.whole("public-rows"),
    mechanism: options.text("mechanism"),
    ...mechanismOptions(options),
    allowUnreviewedSchema: options.has("allow-unreviewed-schema"),
    workload: await readWorkload(options),
    target: oneTarget(options),
    queries: await readQueries(options),
  };
  const schema = await readSchema(options);
  if (!request.allowUnreviewedSchema) expectReviewed(schema, confirmHint(options.required("schema")));
  const publicTable = await readPublicTable(options, schema);
  checkOneTarget(request.target, schema);
  const made = plan(schema, { ...request, publicTable });
  for (const warning of made.ledger.warnings) say(`Warning: ${warning}`);
  return { plan: made, publicTable };
}

function oneTarget(options: Options): string | undefined {
  const [target, ...more] = options.texts("target") ?? [];
  if (!more.length) return target;
  throw severalTargets("--target was given twice.");
}

/** Refuses a list of columns, which only `standin evaluate` takes. */
function checkOneTarget(target: string | undefined, schema: Schema): void {
  if (target !== undefined && columnsIn([target], schema).length > 1)
    throw severalTargets(`--target names several columns: ${target}.`);
}

const severalTargets = (message: string) =>
  new StandinError(
    "options/target",
    message,
    "Name one: the rows of a release can be made to predict one column (standin evaluate compares several, A,B).",
  );

function confirmHint(path: string): string {
  const file = path === "-" ? "SCHEMA" : shellWord(path);
  return (
    `Compare with a code book, a law or a form, then: standin confirm ${file} --all (some columns: --columns A,B). ` +
    "Or give --allow-unreviewed-schema: the release then has no guarantee."
  );
}

/**
 * The options that the user set for a mechanism, read by its own table.
 * @throws {StandinError} `options/refused` for those that only other mechanisms have
 */
function mechanismOptions(options: Options): MechanismOptions {
  const read = (spec: OptionSpec) => {
    const flag = spec.flag as MechanismFlag;
    if (spec.type === "whole") return options.whole(flag);
    if (spec.type === "choice") return options.choice(flag, spec.choices);
    const method = options.choice(flag, spec.methods);
    return method && { method };
  };
  const mechanism = options.text("mechanism") ?? DEFAULT_MECHANISM;
  const table = optionsOf(mechanism);
  // The plan refuses a mechanism that does not exist.
  if (!table) return {};
  const given = Object.keys(ALL_OPTIONS).filter((name) => options.has(ALL_OPTIONS[name].flag as MechanismFlag));
  for (const name of given)
    if (!Object.hasOwn(table, name))
      throw new StandinError(
        "options/refused",
        `${mechanism} has no option --${ALL_OPTIONS[name].flag}.`,
        `These have: ${mechanismsWith(name).join(", ")}.`,
      );
  return Object.fromEntries(given.map((name) => [name, read(table[name])]));
}

/** The number of rows to make, the seed and the engine. @throws {StandinError} `options/…` */
export function readRowOptions(options: Options): RowOptions {
  const rows = checkRowOptions({ rows: options.number("rows"), seed: options.number("seed") });
  const gpuFrom = options.texts("gpu-from")?.map((text) => {
    const [, kernel, from] = /^([^=]+)=(\d+(?:\.\d+)?(?:e\+?\d+)?)$/i.exec(text) ?? [];
    if (kernel === undefined)
      throw new StandinError(
        "options/refused",
        `--gpu-from is "${text}"; it must be the name of a kernel, an equals sign and a number.`,
        "Write it as in half-spaces=1e9.",
      );
    return [kernel, Number(from)] as const;
  });
  return { ...rows, engine: options.choice("engine", ENGINES), gpuFrom: gpuFrom && Object.fromEntries(gpuFrom) };
}

/** The columns in lists of names. A name that contains a comma is also recognised whole. */
export function columnsIn(lists: readonly string[], { fields }: Schema): string[] {
  const known = new Set(fields.map(({ name }) => name));
  return lists.flatMap((list) => (known.has(list) ? [list] : list.split(",")));
}

/** The one table on the command line. @throws {StandinError} `options/table` if there is not exactly one */
export function tableOf(options: Options): string {
  const [table, ...more] = options.positionals;
  if (table === undefined || more.length)
    throw new StandinError(
      "options/table",
      table === undefined
        ? "No table was given."
        : `Only one table can be read at a time, but "${more[0]}" was given after "${table}".`,
      `See standin ${options.command} --help.`,
    );
  return streamOrPath(table);
}

/** Rejects a table that does not exist, without opening it. @throws {StandinError} `files/refused` */
export function checkReadable(path: string): void {
  if (path !== "-" && pathStats(path).isDirectory())
    throw new StandinError("files/refused", `The table ${path} is a folder.`, "Name a file.");
}

/** A JSON file. @throws {StandinError} `files/refused`, `<what>/not-json` */
export async function readJson(path: string, what: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new StandinError(
      `${what}/not-json`,
      `The ${what} ${path} is not JSON.`,
      "Check its commas, quotes and brackets.",
    );
  }
}

/** How the table's file is written, where the options state it. */
export function dialectOf(options: Options): Dialect {
  const delimiter = options.text("delimiter");
  const asked = {
    delimiter: delimiter === "tab" || delimiter === "\\t" ? "\t" : delimiter,
    encoding: options.text("encoding"),
    skipLines: options.whole("skip-lines"),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}
