import { StandinError } from "../core/errors.js";
import { csvStream, measure, type Plan, parseRelease, type Release, readCsv, resample } from "../node.js";
import { checkRowOptions, type RowOptions } from "../synthesize.js";
import { chargeLedger } from "./ledger-file.js";
import type { OptionName, Options } from "./options.js";
import { isDirect, type Output } from "./output.js";
import { checkDistinct, type Named, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { checkReadable, DIALECT_OPTIONS, dialectOf, RELEASE_OPTIONS, readPlan, readText, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { promiseOf, shellWord } from "./words.js";

/** `standin synth`: a table in, a stand-in out; or more rows from the measured part of an earlier run. */
export async function run(options: Options, run: Run): Promise<void> {
  const rowOptions = { rows: options.number("rows"), seed: options.number("seed") };
  checkRowOptions(rowOptions);
  if (options.has("from")) await fromRelease(options, run, rowOptions);
  else await fromTable(options, run, rowOptions);
}

async function fromTable(options: Options, run: Run, rowOptions: RowOptions): Promise<void> {
  const table = tableOf(options);
  const plan = await readPlan(options);
  const output = streamOrPath(options.text("output") ?? "-");
  const kept = keptRelease(options, output);
  checkDistinct(
    [{ what: "table", path: table }, ...inputsAmong(options, ["schema", "workload", "ledger"])],
    [{ what: "output", path: output }, ...(kept ? [{ what: "release", path: kept.path }] : [])],
  );
  checkReadable(table);
  const place = run.open(output);
  const measuredPlace = kept && run.open(kept.path);
  await payFor(plan, options, run);

  run.privateDataOpened = true;
  const release = await measureTable(table, plan, options, rowOptions);
  if (kept && measuredPlace) {
    await measuredPlace.write([new TextEncoder().encode(`${JSON.stringify(release)}\n`)]);
    measuredPlace.commit();
    run.outcome = `The measured part is kept in ${kept.path}; this goes on with it, at no cost: standin synth --from ${shellWord(kept.path)} -o ${shellWord(output)}`;
  }
  await writeRows(release, {}, place, options);
  if (kept?.untilDone) rmSync(kept.path);
  say(promiseOf(release.facts));
}
