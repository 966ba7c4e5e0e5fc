import { existsSync, rmSync } from "node:fs";
import { StandinError } from "../core/errors.js";
import type { OnProgress } from "../core/progress.js";
import type { RowOptions } from "../frame/options.js";
import { csvStream, measure, type Plan, parseRelease, type Release, readCsv, resample } from "../node.js";
import { chargeLedger, checkLedger } from "./ledger-file.js";
import type { OptionName, Options } from "./options.js";
import { checkOutput, isDirect } from "./output.js";
import { checkDistinct, checkOneStdin, type Named, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { checkReadable, readPlan, readRowOptions, readText, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { promiseOf, shellWord } from "./words.js";

/** What goes with --from: whatever else describes a release is in the release. */
const FROM_OPTIONS: readonly OptionName[] = ["from", "rows", "seed", "output", "engine", "quiet"];

/** `standin synth`: a table in, a stand-in out; or more rows from the measured part of an earlier run. */
export async function run(options: Options, run: Run): Promise<void> {
  const rowOptions = readRowOptions(options);
  await (options.has("from") ? fromRelease(options, run, rowOptions) : fromTable(options, run, rowOptions));
}

async function fromTable(options: Options, run: Run, rowOptions: RowOptions): Promise<void> {
  const table = tableOf(options);
  const inputs = [{ what: "table", path: table }, ...filesAmong(options, ["schema", "workload", "ledger"])];
  checkOneStdin(inputs);
  const plan = await readPlan(options);
  if (rowOptions.rows !== undefined) plan.checkRows(rowOptions.rows);
  const output = streamOrPath(options.text("output") ?? "-");
  const kept = keptRelease(options, output);
  checkDistinct(inputs, [{ what: "output", path: output }, ...(kept ? [{ what: "release", path: kept.path }] : [])]);
  checkReadable(table);
  // Outputs that cannot be written are found now; each is opened when its turn comes, so that a killed run leaves one at most.
  checkOutput(output);
  if (kept) checkOutput(kept.path);
  sayTerms(plan, options, kept);

  run.privateDataOpened = true;
  const onProgress = progressLines(options.has("quiet"));
  onProgress({ phase: "read", percent: undefined });
  const source = table === "-" ? process.stdin : table;
  const rows = await readCsv(source, plan.schema, { onProgress });
  await pay(plan, options, run);
  const release = await measure(rows, plan, { ...rowOptions, onProgress });
  if (kept) await keep(release, kept.path, output, run);
  await writeRows(release, {}, output, run, onProgress, options);
  if (kept?.untilDone) rmSync(kept.path, { force: true });
  run.outcome = undefined;
  say(promiseOf(release.facts));
}

async function fromRelease(options: Options, run: Run, rowOptions: RowOptions): Promise<void> {
  const stray = options.given.find((name) => !FROM_OPTIONS.includes(name));
  if (stray || options.positionals.length)
    throw new StandinError(
      "options/from",
      `${stray ? `--${stray}` : `The table ${options.positionals[0]}`} does not go with --from: the release was measured already, and more rows cost nothing.`,
      "Leave one of them out.",
    );
  const inputs = filesAmong(options, ["from"]);
  const output = streamOrPath(options.text("output") ?? "-");
  const release = parseRelease(await readText(inputs[0].path));
  checkDistinct(inputs, [{ what: "output", path: output }]);
  checkOutput(output);
  await writeRows(release, rowOptions, output, run, progressLines(options.has("quiet")), options);
  say(promiseOf(release.facts));
}

/** Where the measured part goes. */
interface Kept {
  readonly path: string;
  /** Whether it is only kept until the rows are in place. */
  readonly untilDone: boolean;
}

function keptRelease(options: Options, output: string): Kept | undefined {
  const asked = options.text("release");
  if (asked !== undefined) return { path: streamOrPath(asked), untilDone: false };
  return isDirect(output) ? undefined : { path: `${output}.release.json`, untilDone: true };
}

/** Says what the owner should know before anything is spent, and refuses what the ledger cannot pay before the table is opened. */
function sayTerms(plan: Plan, options: Options, kept: Kept | undefined): void {
  const ledger = options.text("ledger");
  if (!kept) say("If this run is interrupted, what it measured is lost; --release FILE keeps it.");
  if (kept?.untilDone && existsSync(kept.path))
    say(`${kept.path}, the measured part of an earlier run, will be replaced.`);
  if (ledger === undefined)
    say("This release adds to earlier ones of the same people; --ledger FILE bounds their sum.");
  else checkLedger(ledger, plan);
}

/** Charges the ledger, where there is one: when the table is read, so that a wrong file costs nothing, and before the first draw. */
async function pay(plan: Plan, options: Options, run: Run): Promise<void> {
  const ledger = options.text("ledger");
  if (ledger === undefined) return;
  await chargeLedger(ledger, plan);
  run.outcome = `Measuring began, so the charge stays in ${ledger}.`;
}

/** Puts the measured part on disk before the search starts, so that a lost search costs nothing. */
async function keep(release: Release, path: string, output: string, run: Run): Promise<void> {
  const place = run.open(path);
  await place.write([new TextEncoder().encode(`${JSON.stringify(release)}\n`)]);
  place.commit();
  if (isDirect(path)) return;
  const goOn = `standin synth --from ${shellWord(path)}${output === "-" ? "" : ` -o ${shellWord(output)}`}`;
  run.outcome = `The measured part is kept; this goes on with it at no cost: ${goOn}`;
}

async function writeRows(
  release: Release,
  rowOptions: RowOptions,
  output: string,
  run: Run,
  onProgress: OnProgress,
  options: Options,
): Promise<void> {
  const { table, outcome } = await resample(release, { ...rowOptions, onProgress });
  onProgress({ phase: "write", percent: undefined });
  const place = run.open(output);
  await place.write(csvStream(table));
  place.commit();
  if (!options.has("quiet")) say(outcome.stop);
}

function filesAmong(options: Options, names: readonly OptionName[]): Named[] {
  return names
    .filter((name) => options.has(name) && !/^\d+-way$/.test(options.required(name)))
    .map((name) => ({ what: name === "from" ? "release" : name, path: streamOrPath(options.required(name)) }));
}
