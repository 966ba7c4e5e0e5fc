import { existsSync, rmSync } from "node:fs";
import { StandinError } from "../core/errors.js";
import type { OnProgress } from "../core/progress.js";
import { csvStream, measure, type Plan, parseRelease, type Release, readCsv, resample } from "../node.js";
import { checkRowOptions, type RowOptions } from "../synthesize.js";
import { chargeLedger } from "./ledger-file.js";
import type { OptionName, Options } from "./options.js";
import { checkOutput, isDirect, type Output } from "./output.js";
import { checkDistinct, checkOneStdin, type Named, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { checkEngine, checkReadable, readPlan, readText, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { promiseOf, shellWord } from "./words.js";

/** What goes with --from: whatever else describes a release is in the release. */
const FROM_OPTIONS: readonly OptionName[] = ["from", "rows", "seed", "output", "engine", "quiet"];

/** `standin synth`: a table in, a stand-in out; or more rows from the measured part of an earlier run. */
export async function run(options: Options, run: Run): Promise<void> {
  const rowOptions = { rows: options.number("rows"), seed: options.number("seed") };
  checkRowOptions(rowOptions);
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
  checkOutput(output);
  if (kept) checkOutput(kept.path);
  await pay(plan, options, run, kept);

  run.privateDataOpened = true;
  const onProgress = progressLines(options.has("quiet"));
  onProgress({ phase: "read", percent: undefined });
  const source = table === "-" ? process.stdin : table;
  const release = await measure(await readCsv(source, plan.schema, { onProgress }), plan, {
    ...rowOptions,
    onProgress,
  });
  if (kept) await keep(release, kept.path, output, run);
  const place = run.open(output);
  await writeRows(release, {}, place, onProgress, options);
  place.commit();
  if (kept?.untilDone) rmSync(kept.path, { force: true });
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
  checkEngine(options);
  const inputs = filesAmong(options, ["from"]);
  const output = streamOrPath(options.text("output") ?? "-");
  const release = parseRelease(await readText(inputs[0].path));
  checkDistinct(inputs, [{ what: "output", path: output }]);
  const place = run.open(output);
  await writeRows(release, rowOptions, place, progressLines(options.has("quiet")), options);
  place.commit();
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

/** Charges the ledger, where there is one, and says what the owner should know before anything is spent. */
async function pay(plan: Plan, options: Options, run: Run, kept: Kept | undefined): Promise<void> {
  const ledger = options.text("ledger");
  if (!kept) say("If this run is interrupted, what it measured is lost; --release FILE keeps it.");
  if (kept?.untilDone && existsSync(kept.path))
    say(`${kept.path}, the measured part of an earlier run, will be replaced.`);
  if (ledger === undefined)
    say("This release adds to earlier ones of the same people; --ledger FILE bounds their sum.");
  else {
    await chargeLedger(ledger, plan);
    run.outcome = `The charge stays in ${ledger}.`;
  }
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
  place: Output,
  onProgress: OnProgress,
  options: Options,
): Promise<void> {
  const { table, outcome } = await resample(release, { ...rowOptions, onProgress });
  onProgress({ phase: "write", percent: undefined });
  await place.write(csvStream(table));
  if (!options.has("quiet")) say(outcome.stop);
}

function filesAmong(options: Options, names: readonly OptionName[]): Named[] {
  return names
    .filter((name) => options.has(name) && !/^\d+-way$/.test(options.required(name)))
    .map((name) => ({ what: name === "from" ? "release" : name, path: streamOrPath(options.required(name)) }));
}
