import { existsSync, rmSync } from "node:fs";
import type { Engines } from "../core/engines.js";
import { StandinError } from "../core/errors.js";
import type { OnProgress } from "../core/progress.js";
import { checkThreads } from "../core/threads.js";
import { checkRandom, standingOf } from "../frame/measure.js";
import { openEngines, type RowOptions, withEngines } from "../frame/options.js";
import { checkSamePublicTable, publicTableOf } from "../frame/public-table.js";
import { type SearchOutcome, tablesOf } from "../frame/resample.js";
import {
  csvStream,
  type MeasureOptions,
  measure,
  type Plan,
  parseRelease,
  type Release,
  type ResampleOptions,
  readCsv,
  resample,
  resume,
  type Schema,
  type Table,
} from "../node.js";
import { LedgerFile } from "./ledger-file.js";
import type { OptionName, Options } from "./options.js";
import { checkOutput, isDirect } from "./output.js";
import { checkDistinct, checkOneStdin, checkPublicIsAnother, type PathArgument, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { checkReadable, readPlan, readPublicTable, readRowOptions, readText, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { promiseOf, shellWord } from "./words.js";

/** The options allowed with --from. Everything else that describes a release is in the release. */
const FROM_OPTIONS: readonly OptionName[] = ["from", "public", "rows", "seed", "output", "engine", "gpu-from", "quiet"];

/** The options allowed with --resume. The unfinished release holds all the rest. */
const RESUME_OPTIONS: readonly OptionName[] = [
  "resume",
  "public",
  "ledger",
  "threads",
  "output",
  "engine",
  "gpu-from",
  "quiet",
];

/**
 * `standin synth`: a table in, a stand-in out; the rest of an interrupted run; or more rows from what an earlier run
 * has measured.
 */
export async function run(options: Options, run: Run): Promise<void> {
  const rowOptions = readRowOptions(options);
  const threads = checkThreads(options.number("threads"));
  const engines = await openEngines({ ...rowOptions, onProgress: progressLines(options.has("quiet")) });
  if (options.has("from")) await fromRelease(options, run, withEngines(rowOptions, engines));
  else if (options.has("resume")) await fromUnfinished(options, run, threads, engines);
  else await fromTable(options, run, rowOptions, threads, engines);
}

async function fromTable(
  options: Options,
  run: Run,
  rowOptions: RowOptions,
  threads: number,
  engines: Engines,
): Promise<void> {
  const table = tableOf(options);
  const inputs = [
    { what: "table", path: table },
    ...filesAmong(options, ["schema", "workload", "queries", "public", "ledger"]),
  ];
  checkOneStdin(inputs);
  checkPublicIsAnother(table, publicPath(options));
  const { plan, publicTable } = await readPlan(options);
  plan.checkRows(rowOptions.rows);
  const output = streamOrPath(options.text("output") ?? "-");
  const kept = keptRelease(options, output);
  const places = outputsOf(output, plan.tables);
  checkDistinct(inputs, [...namedOutputs(places), ...(kept ? [{ what: "release", path: kept.path }] : [])]);
  checkReadable(table);
  // Outputs that cannot be written are found now. Each is opened only when its turn comes, so a killed run leaves at
  // most one.
  for (const place of [...places, ...(kept ? [kept.path] : [])]) checkOutput(place);
  const job = {
    ...{ table, schema: plan.schema, output, kept, threads, engines, publicTable },
    ...{ ledger: options.text("ledger"), publicPath: publicPath(options) },
  };
  const ledger = ledgerOf(job, run);
  sayTerms(plan, kept, ledger);
  await synthesizeTable(job, options, run, (rows, how) => measure(rows, plan, { ...rowOptions, ...how }), ledger);
}

const SAME_TABLE =
  "The table must be the one that the run was started with: a release keeps nothing by which rows could be recognised, " +
  "and with another table it would mix answers about both.";

async function fromUnfinished(options: Options, run: Run, threads: number, engines: Engines): Promise<void> {
  const stray = options.given.find((name) => !RESUME_OPTIONS.includes(name));
  if (stray)
    throw new StandinError(
      "options/resume",
      `--${stray} cannot be combined with --resume: the release already holds the options of its run.`,
      "Leave one of them out.",
    );
  const [table, path] = [tableOf(options), streamOrPath(options.required("resume"))];
  const output = streamOrPath(options.text("output") ?? "-");
  if (isDirect(path))
    throw new StandinError(
      "options/resume",
      "--resume needs a file, because the measurements are kept there.",
      "Name a file.",
    );
  const inputs = [
    { what: "table", path: table },
    { what: "release", path },
    ...filesAmong(options, ["public", "ledger"]),
  ];
  checkOneStdin(inputs);
  checkPublicIsAnother(table, publicPath(options));
  checkDistinct(inputs, namedOutputs([output]));
  const kept = { path, untilDone: path === besideOutput(output) };
  const job = {
    table,
    output,
    kept,
    threads,
    engines,
    ledger: options.text("ledger"),
    publicPath: publicPath(options),
  };
  const ledger = ledgerOf(job, run);
  await ledger?.recover(path);
  const unfinished = parseRelease(await readText(path));
  const places = outputsOf(output, tablesOf(unfinished));
  checkDistinct(inputs, namedOutputs(places));
  checkLedgerGoes(unfinished, ledger);
  const publicTable = await readSamePublicTable(unfinished, options);
  checkReadable(table);
  // With a ledger, the release's place was checked under its lock, because another run may be staging there.
  for (const place of ledger ? places : [...places, path]) checkOutput(place);
  const measureRest: MeasureRows = (rows, how) => resume(rows, unfinished, { ...how, publicTable });
  say(SAME_TABLE);
  await synthesizeTable({ ...job, schema: unfinished.schema, publicTable }, options, run, measureRest, ledger);
}

/**
 * Refuses, before the table is opened, to continue without the ledger that a release was begun with, or from a copy
 * that was overtaken.
 */
function checkLedgerGoes(release: Release, ledger: LedgerFile | undefined): void {
  const standing = standingOf(release);
  if (standing && !ledger)
    throw new StandinError(
      "options/resume",
      "This release was started with a ledger, which counts its measurements.",
      "Give that ledger with --ledger.",
    );
  if (!standing && ledger && release.facts.unfinished)
    throw new StandinError("options/resume", "This release was started without a ledger.", "Leave --ledger out.");
  if (standing) ledger?.checkStanding(standing);
}

/** What a run reads, makes and keeps on the way. */
interface Job {
  readonly table: string;
  readonly schema: Schema;
  readonly output: string;
  readonly kept: KeptPath | undefined;
  readonly threads: number;
  readonly engines: Engines;
  readonly ledger: string | undefined;
  readonly publicTable: Table | undefined;
  readonly publicPath: string | undefined;
}

/** What the message about an interrupted run is made from. */
type KeptJob = Omit<Job, "schema" | "publicTable" | "engines">;

type MeasureSettings = Omit<MeasureOptions, "rows" | "seed" | "signal">;
type MeasureRows = (rows: Table, how: MeasureSettings) => Promise<Release>;

/**
 * Reads the table, measures it, and makes the rows. What is measured is kept from the first round on, unless it is
 * written directly: such an output gets only the finished release. If there is a ledger, it keeps the rounds, because
 * it has to record them first.
 */
async function synthesizeTable(
  job: Job,
  options: Options,
  run: Run,
  measureRows: MeasureRows,
  ledger: LedgerFile | undefined,
): Promise<void> {
  const { table, schema, output, kept, threads, engines } = job;
  checkRandom();
  run.privateDataOpened = true;
  const onProgress = progressLines(options.has("quiet"));
  onProgress({ phase: "read", percent: undefined });
  const rows = await readCsv(table === "-" ? process.stdin : table, schema, { onProgress, threads });
  const onRound =
    kept && !isDirect(kept.path) && !ledger
      ? (unfinished: Release) => keep(unfinished, job, kept.path, run)
      : undefined;
  const how = { budget: ledger, onProgress, onRound, threads };
  const release = await measureRows(rows, withEngines(how, engines));
  rows.wipe();
  if (kept && ledger?.placed !== release) await keep(release, job, kept.path, run);
  await writeRows(release, withEngines({ publicTable: job.publicTable }, engines), output, run, onProgress, options);
  if (kept?.untilDone) rmSync(kept.path, { force: true });
  run.outcome = undefined;
  say(promiseOf(release.facts));
}

async function fromRelease(options: Options, run: Run, rowOptions: RowOptions): Promise<void> {
  const stray = options.given.find((name) => !FROM_OPTIONS.includes(name));
  if (stray || options.positionals.length)
    throw new StandinError(
      "options/from",
      `${stray ? `--${stray}` : `The table ${options.positionals[0]}`} cannot be combined with --from: the release is already measured, and more rows cost nothing.`,
      "Leave one of them out.",
    );
  const inputs = filesAmong(options, ["from", "public"]);
  checkOneStdin(inputs);
  const output = streamOrPath(options.text("output") ?? "-");
  const release = parseRelease(await readText(inputs[0].path));
  const places = outputsOf(output, tablesOf(release));
  checkDistinct(inputs, namedOutputs(places));
  for (const place of places) checkOutput(place);
  const publicTable = await readSamePublicTable(release, options);
  await writeRows(release, { ...rowOptions, publicTable }, output, run, progressLines(options.has("quiet")), options);
  say(promiseOf(release.facts));
}

/** The place of the measured part. */
interface KeptPath {
  readonly path: string;
  /** Whether it is only kept until the rows are in place. */
  readonly untilDone: boolean;
}

function keptRelease(options: Options, output: string): KeptPath | undefined {
  const asked = options.text("release");
  if (asked !== undefined) return { path: streamOrPath(asked), untilDone: false };
  return isDirect(output) ? undefined : { path: besideOutput(output), untilDone: true };
}

const besideOutput = (output: string) => `${output}.release.json`;

/**
 * Says what the owner should know before anything is spent, and refuses what the ledger cannot pay, before the table is
 * opened.
 */
function sayTerms(plan: Plan, kept: KeptPath | undefined, ledger: LedgerFile | undefined): void {
  const why = plan.facts.auto;
  if (why !== undefined) say(`Mechanism: ${plan.mechanism}, picked because ${why}.`);
  if (!kept || isDirect(kept.path))
    say("If this run is interrupted, its measurements are lost; --release FILE keeps them.");
  if (kept?.untilDone && existsSync(kept.path))
    say(`${kept.path}, the measured part of an earlier run, will be replaced.`);
  if (ledger === undefined)
    say("This release's budget adds to that of earlier releases of the same people; --ledger FILE bounds the sum.");
  else ledger.check(plan.ledger);
}

/**
 * The ledger that was named. It is charged after the table is read, so a wrong file costs nothing, and before the first
 * draw.
 */
function ledgerOf(job: KeptJob, run: Run): LedgerFile | undefined {
  const { ledger, kept } = job;
  if (ledger === undefined) return undefined;
  return new LedgerFile(ledger, {
    path: kept && !isDirect(kept.path) ? kept.path : undefined,
    onCharged: () => {
      run.outcome = `Measuring had begun, so the charge stays in ${ledger}.`;
    },
    onPlaced: (release) => {
      run.outcome = howToGoOn(release, job);
    },
  });
}

/** Writes the measured part to disk before the next round or the search starts, so a lost run costs nothing. */
async function keep(release: Release, job: Job, path: string, run: Run): Promise<void> {
  const place = run.open(path);
  await place.write([new TextEncoder().encode(`${release.toText()}\n`)]);
  place.commit();
  if (!isDirect(path)) run.outcome = howToGoOn(release, job);
}

function howToGoOn({ facts }: Release, { table, output, kept, ledger, publicPath }: KeptJob): string {
  const words = ["standin synth", ...(facts.unfinished ? [shellWord(table), "--resume"] : ["--from"])];
  words.push(shellWord(kept!.path));
  if (facts.publicTable) words.push("--public", shellWord(publicPath!));
  if (facts.unfinished && ledger !== undefined) words.push("--ledger", shellWord(ledger));
  if (output !== "-") words.push("-o", shellWord(output));
  const same = facts.unfinished ? " the same table" : "";
  return `The measured part is kept; continue from it${same && ` and${same}`} at no cost with: ${words.join(" ")}`;
}

async function writeRows(
  release: Release,
  rowOptions: ResampleOptions,
  output: string,
  run: Run,
  onProgress: OnProgress,
  options: Options,
): Promise<void> {
  const { tables, outcome } = await resample(release, { ...rowOptions, onProgress });
  onProgress({ phase: "write", percent: undefined });
  for (const [at, path] of outputsOf(output, tables.length).entries()) {
    const place = run.open(path);
    await place.write(csvStream(tables[at]));
    place.commit();
  }
  if (!options.has("quiet")) say(`${outcome.stop}${fitOf(outcome)}`);
}

/**
 * The places of this many tables. Several are numbered before the name's extension.
 * @throws {StandinError} `options/output` if several would be written directly
 */
function outputsOf(output: string, count: number): string[] {
  if (count === 1) return [output];
  if (isDirect(output))
    throw new StandinError(
      "options/output",
      `This mechanism makes ${count} tables, but ${output === "-" ? "standard output" : output} holds only one.`,
      "Name a file with -o: the tables get numbered names.",
    );
  const [, name, ending] = /^(.*?)((?:\.[^./]*)*)$/s.exec(output)!;
  return Array.from({ length: count }, (_, at) => `${name}-${at + 1}${ending}`);
}

const namedOutputs = (places: readonly string[]): PathArgument[] => places.map((path) => ({ what: "output", path }));

const fitOf = ({ noiseRatio }: SearchOutcome) =>
  Number.isNaN(noiseRatio)
    ? ""
    : ` Squared distance of the rows from the noisy answers: ${noiseRatio.toPrecision(3)} times that of noise alone ` +
      "(about 1 is best: the real rows would have it).";

const publicPath = (options: Options): string | undefined => {
  const path = options.text("public");
  return path && streamOrPath(path);
};

/**
 * The public table that a release was made with.
 * @throws {StandinError} `public/…`, before anything private is opened
 */
async function readSamePublicTable({ schema, facts }: Release, options: Options): Promise<Table | undefined> {
  const table = await readPublicTable(options, schema);
  checkSamePublicTable(facts.publicTable, publicTableOf(table, schema));
  return table;
}

function filesAmong(options: Options, names: readonly OptionName[]): PathArgument[] {
  return names
    .filter((name) => options.has(name) && !/^\d+-way$/.test(options.required(name)))
    .map((name) => ({ what: name === "from" ? "release" : name, path: streamOrPath(options.required(name)) }));
}
