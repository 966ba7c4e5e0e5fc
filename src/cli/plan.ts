import { StandinError } from "../core/errors.js";
import { largest } from "../core/largest.js";
import { thousands } from "../core/thousands.js";
import { valueAt } from "../domain/grid.js";
import { toldClasses } from "../frame/classes.js";
import { MOST_ROWS } from "../frame/release-checks.js";
import { optionsOf } from "../mechanisms/options.js";
import type { Plan } from "../node.js";
import { formatDecimal } from "../notation/decimal.js";
import type { Field } from "../schema/schema.js";
import { LedgerFile } from "./ledger-file.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { readPlan, readRowOptions } from "./request.js";
import { askedText, counted, promiseOf, tableText } from "./words.js";

/**
 * `standin plan`: what a release would measure, with what noise, at what price. It touches no data and charges nothing.
 */
export async function run(options: Options): Promise<void> {
  const [table] = options.positionals;
  if (table !== undefined)
    throw new StandinError(
      "options/table",
      `A plan reads no table, but "${table}" was given.`,
      "Leave it out: a plan follows from the schema.",
    );
  const { rows } = readRowOptions(options);
  const { plan } = await readPlan(options);
  plan.checkRows(rows);
  const ledger = options.text("ledger");
  if (ledger !== undefined) new LedgerFile(ledger).check(plan.ledger);
  await print(options.has("json") ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan, rows));
}

function planText(plan: Plan, rows: number | undefined): string {
  const planned = plan.toJSON();
  const { rho, mechanism, auto, publicTable } = planned;
  const why = auto === undefined ? "" : ` (picked because ${auto})`;
  const initial = publicTable ? `, initialised from ${counted(publicTable.rows, "public row", "public rows")}` : "";
  const columns = plan.schema.fields.map((field) => [field.name, modelOf(field)]);
  return [
    tableText([["column", "modelled as"], ...columns], []),
    ledgerText(plan, planned),
    ...partsText(plan),
    ...expectedText(plan),
    memoryText(plan, planned, rows),
    `${mechanism}${why}${matchedText(plan)}, ${orderText(plan)}${initial}, budget rho = ${rho.toPrecision(5)}: ${promiseOf(plan)}\n`,
  ].join("\n\n");
}

/** What the rows will match, for mechanisms that have a choice. */
function matchedText({ mechanism, problem }: Plan): string {
  const table = optionsOf(mechanism) ?? {};
  const choice = ["estimate", "iterate"].find((name) => Object.hasOwn(table, name));
  return choice ? `, ${choice} ${problem.options.estimate}` : "";
}

function orderText({ facts, ledger }: Plan): string {
  const chooses = ledger.candidates.length > 0 && facts.stages === undefined;
  return chooses ? "rounds" : counted(facts.stages ?? 1, "stage", "stages");
}

function modelOf({ domain, notation, required, role }: Field): string {
  if (!domain) return `not at all (${role})`;
  return `${valuesOf(domain, notation)}${required ? "" : ", or missing"}`;
}

function valuesOf(domain: NonNullable<Field["domain"]>, notation: Field["notation"]): string {
  if (domain.kind === "category") return counted(domain.labels.length, "category", "categories");
  const { step, scale, points, tree, starts } = domain;
  const text = (point: number) => notation!.write(valueAt(domain, point));
  const unit = notation!.unit && ` ${notation!.unit}`;
  const grid = `${text(0)} to ${text(points - 1)} in steps of ${formatDecimal({ units: step, scale })}${unit}`;
  if (tree) return `${grid}, as a tree of ${counted(starts.length, "leaf", "leaves")}`;
  return starts.length === points ? grid : `${grid}, in ${counted(starts.length, "bin", "bins")}`;
}

type Planned = ReturnType<Plan["toJSON"]>;
type PlannedItem = Planned["items"][number];
type PlannedMeasurement = Extract<PlannedItem, { kind: "measurement" }>;

/** More distinct items than this are summed up by kind; --json lists each. */
const MOST_LINES = 500;

function ledgerText(plan: Plan, planned: Planned): string {
  return [
    itemsText(plan, planned),
    ...classesText(plan, planned),
    readableText(plan, planned),
    ...structureText(plan, planned),
    ...(planned.rule === undefined ? [] : [ruleText(plan, planned)]),
  ].join("\n\n");
}

/** The items of the ledger. Items that repeat in every round are one line with their sums, whatever choices cost. */
function itemsText(plan: Plan, { items, cap, classes }: Planned): string {
  const different = groupedBy(items, (item) =>
    JSON.stringify(isMeasurement(item) ? item : { ...item, rho: undefined }),
  );
  const lines = different.length > MOST_LINES ? groupedBy(items, kindOf) : different;
  const open = toldClasses(classes) ? "query" : "marginal";
  const rows = lines.map((line) => lineOf(line, open));
  const planned = items.filter((item) => cap === undefined || (item.kind === "measurement" && item.columns));
  const rest = plan.ledger.isWhole ? undefined : cap;
  const rho = planned.reduce((sum, item) => sum + item.rho, rest ?? 0);
  const measured = planned.filter(isMeasurement);
  const most = measured.every(({ columns }) => columns) ? "" : "≤ ";
  const cells = most + thousands(measured.reduce((sum, item) => sum + item.cells, 0));
  if (rest !== undefined) rows.push(["rounds", "all, decided by noisy answers", "", "", "", rest.toPrecision(5)]);
  rows.push(["sum", counted(planned.length, "item", "items"), cells, "", "", rho.toPrecision(5)]);
  return tableText([["query", "columns", "cells", "sigma", "readable from", "rho"], ...rows], [2, 3, 4, 5]);
}

/** What each class of queries has, where there are classes besides column sets. */
function classesText({ ledger }: Plan, { classes, items, cap }: Planned): string[] {
  if (!toldClasses(classes)) return [];
  const cells = ledger.candidates.find(({ query, one }) => query.kind === "marginal" && one.kind !== query.kind);
  const isOpen = cap !== undefined || items.some(({ kind }) => kind === "selection");
  const most = isOpen ? "≤ " : "";
  const rows = classes.map((of) => [
    of.query === cells?.one.kind ? "cells of marginals" : of.query,
    of.candidates === undefined ? "" : thousands(of.candidates),
    of.items === undefined ? "" : most + thousands(of.items),
    most + of.rho.toPrecision(5),
  ]);
  return [tableText([["class", "candidates", "items", "rho"], ...rows], [1, 2, 3])];
}

/** @param open what to call a query that will be chosen */
function lineOf(items: readonly PlannedItem[], open: string): string[] {
  const rho = items.reduce((sum, item) => sum + item.rho, 0).toPrecision(5);
  const each = items.length > 1 ? `${thousands(items.length)} times ` : "";
  const [first] = items;
  if (first.kind === "selection")
    return [
      "choice",
      `${each}${thousands(first.picks)} of ${thousands(first.candidates)} by ${first.score}${first.law ? ` (${first.law})` : ""}`,
      "",
      "",
      "",
      rho,
    ];
  const measured = items.filter(isMeasurement);
  const most = first.columns ? "" : "≤ ";
  return [
    first.query ?? open,
    first.columns ? columnsOf(measured) : `${each}one that is chosen`,
    most + span(measured.map(({ cells }) => cells)),
    span(
      measured.map(({ noise }) => noise.sigma),
      5,
    ),
    first.noise.readableFrom === undefined ? "" : most + span(measured.map(({ noise }) => noise.readableFrom!)),
    rho,
  ];
}

const isMeasurement = (item: PlannedItem): item is PlannedMeasurement => item.kind === "measurement";

const kindOf = (item: PlannedItem) => (isMeasurement(item) ? `${item.query} ${item.columns?.length}` : item.kind);

function columnsOf([first, ...more]: readonly PlannedMeasurement[]): string {
  if (!more.length) return askedText(first);
  const sets = more.length + 1;
  return first.columns!.length === 1
    ? `${thousands(sets)} columns`
    : `${thousands(sets)} sets of ${first.columns!.length} columns`;
}

/** The smallest and largest of some numbers, with this many significant digits if they are not whole. */
function span(numbers: readonly number[], digits?: number): string {
  const [least, most] = [Math.min, Math.max].map((extreme) => numbers.reduce((a, b) => extreme(a, b)));
  const text = (number: number) => (digits ? number.toPrecision(digits) : thousands(number));
  return text(least) === text(most) ? text(least) : `${text(least)} to ${text(most)}`;
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** What the noise figures mean for a table, as sentences. */
function readableText(plan: Plan, { items, publicRows, cap }: Planned): string {
  const measured = items.filter(isMeasurement);
  const from = measured.flatMap(({ columns, noise }) => (columns?.length ? (noise.readableFrom ?? []) : []));
  const chosen = measured.flatMap(({ columns, noise }) => (columns ? [] : (noise.readableFrom ?? [])));
  if (!from.length && !chosen.length) return "sigma is the standard deviation of the noise on each answer, in rows.";
  const about = [
    "sigma is the standard deviation of the noise on each cell, in rows. A marginal, or that of an interaction, is " +
      "readable from the number of rows that makes its average cell (rows divided by cells) as large as sigma; with " +
      "fewer rows, it is mostly noise.",
  ];
  if (from.length)
    about.push(
      listedText(
        from.toSorted((a, b) => a - b),
        publicRows,
      ),
    );
  if (chosen.length)
    about.push(
      `What is chosen later is not among these: each marginal is readable from ${thousands(largest(chosen))} rows or fewer.`,
    );
  if (cap !== undefined)
    about.push(
      plan.ledger.isWhole
        ? "All this holds if it is measured as listed: the rule below may measure other marginals, with other noise."
        : "Later rounds have other noise, by the rule below.",
    );
  return about.join(" ");
}

/** How many of the listed marginals are readable. @param from the rows that make each readable, ascending */
function listedText(from: readonly number[], publicRows: number | undefined): string {
  const half = from[Math.ceil(from.length / 2) - 1];
  return publicRows === undefined
    ? `Half of the listed marginals are readable from ${thousands(half)} rows, all of them from ${thousands(from.at(-1)!)}.`
    : `${thousands(publicRows)} rows make ${thousands(from.filter((rows) => rows <= publicRows).length)} of the ${thousands(from.length)} listed marginals readable.`;
}

/** In sets of how many columns a dependence can be seen, as a sentence. */
function structureText({ ledger }: Plan, { items, structure, publicRows, target }: Planned): string[] {
  if (!structure.length) return [];
  const seen = structure.map(({ columns, seenFrom: [first, all], mostCells }) => {
    const [set, sets] = columns === 2 ? ["pair", "pairs"] : [`set of ${columns}`, `sets of ${columns}`];
    if (publicRows === undefined)
      return `in ${sets} from ${thousands(first)} rows on${all > first ? ` (all: ${thousands(all)})` : ""}`;
    if (publicRows >= all) return `in all ${sets}`;
    return publicRows < first ? `in no ${set}` : `in ${sets} with up to ${thousands(mostCells!)} cells`;
  });
  const where =
    publicRows === undefined ? "Dependences can be seen" : `Dependences in ${thousands(publicRows)} rows can be seen`;
  const among = target === undefined ? "sets of as many columns" : `sets of as many columns with ${target}`;
  const certain = largest(items.map((item) => (isMeasurement(item) ? (item.columns ?? []).length : 0)));
  const candidates = largest(ledger.candidates.map(({ query }) => query.columns.length));
  const [verb, most] = candidates > certain ? ["chooses among", candidates] : ["measures", certain];
  const larger =
    most < structure.at(-1)!.columns
      ? ` This plan ${verb} ${most < 2 ? "single columns" : `sets of up to ${most}`}: --workload and --target ask for larger sets.`
      : "";
  return [`${where}, if all ${among} are measured alike, ${seen.join(", ")}.${larger}`];
}

function ruleText({ ledger }: Plan, { cap, rule }: Planned): string {
  const shown = ledger.isWhole
    ? " The list above is what is measured if the noisy answers give no reason to change it."
    : "";
  return `Of this, rho = ${cap!.toPrecision(5)} is spent by a rule. ${rule}${shown}`;
}

/** The parts of the domain that are kept apart. */
function partsText({ parts }: Plan): string[] {
  if (!parts) return [];
  const rows = parts.map(({ columns, points }) => [columns.join(" × "), thousands(points)]);
  return [tableText([["density over", "points"], ...rows], [1])];
}

/** The errors that are known before any data is seen. Many marginals are summed up by their numbers of columns. */
function expectedText({ expected }: Plan): string[] {
  if (!expected) return [];
  const { marginals, rms, least } = expected;
  const lines = groupedBy(marginals, ({ columns }) =>
    (marginals.length > MOST_LINES ? columns.length : columns).toString(),
  );
  const rows = lines.map((line) => [
    line.length > 1
      ? `${thousands(line.length)} sets of ${line[0].columns.length} columns`
      : line[0].columns.join(" × "),
    span(line.map(({ cells }) => cells)),
    span(
      line.map(({ sigma }) => sigma),
      5,
    ),
  ]);
  return [
    tableText([["answers to", "cells", "expected error"], ...rows], [1, 2]),
    "The expected error is the standard deviation of each cell, in rows, of the workload's marginals as they follow from " +
      `all noisy answers by least squares. Over all cells, the root of its mean square is ${rms.toPrecision(4)}; no ` +
      `Gaussian noise at this price has less than ${least.toPrecision(4)}. The rows follow these answers only as far as ` +
      "they stand out of the noise, so their own errors are others.",
  ];
}

/** The memory of the engine's instances, for numbers of rows that are known beforehand. */
function memoryText(plan: Plan, planned: Planned, rows: number | undefined): string {
  const { publicRows } = plan.ledger;
  const made = rows ?? (publicRows && Math.min(MOST_ROWS, publicRows));
  const search = memoryOf((count) => plan.memory(count), planned.memory, made, "rows that it makes");
  const vault = memoryOf((count) => plan.vaultMemory(count), planned.vaultMemory, publicRows, "rows of the table");
  return `memory: the search takes ${search}; the vault ${vault}`;
}

/** @param least the bytes for one row. Those for another number take long with very many queries. */
function memoryOf(bytes: (rows: number) => number, least: number, rows: number | undefined, which: string): string {
  if (rows !== undefined) return `${megabytes(bytes(rows))} for ${thousands(rows)} ${which}`;
  const more = bytes(1_000_000) - least;
  return `${megabytes(least)}${more ? `, and ${megabytes(more)} for a million ${which}` : ` for any number of ${which}`}`;
}

/** Bytes in MB, rounded up. */
function megabytes(bytes: number): string {
  const parts = bytes < 1e7 ? 10 : 1;
  return `${thousands(Math.ceil((parts * bytes) / 1e6) / parts)} MB`;
}
