// Answers to the requests of hosts in other languages (bindings/CORE.md). The package checks what they give.
import { expectArgument } from "../core/arguments.js";
import type { Watcher } from "../core/progress.js";
import { VERSION } from "../core/version.js";
import { Instance } from "../engine/instance.js";
import { encodingOf } from "../files/bytes.js";
import { neededColumns } from "../files/header.js";
import { engineDecodes } from "../files/hosted-decoder.js";
import { writtenChunks } from "../files/writer.js";
import { type MeasureOptions, measure, type ResumeOptions, resume } from "../frame/measure.js";
import { onlyKnown } from "../frame/options.js";
import { type Plan, type PlanOptions, plan } from "../frame/plan.js";
import type { Release } from "../frame/release.js";
import { parseRelease } from "../frame/release-parser.js";
import { type ResampleOptions, resample } from "../frame/resample.js";
import { confirmFacts } from "../owner/confirm.js";
import { nonPrivateQueryErrors } from "../owner/query-errors.js";
import { nonPrivateUtility } from "../owner/utility.js";
import { Budget } from "../privacy/budget.js";
import type { QueryList, Workload } from "../queries/workload.js";
import { parseSchema } from "../schema/schema.js";
import { COLUMNS } from "./columns.js";
import { publicTableOf, releaseOf, schemaOf, shelf, tableOf } from "./held.js";
import { HostBudget } from "./host-budget.js";
import { type Given, type Handler, type Message, message } from "./message.js";
import { READING } from "./reading.js";
import { Run } from "./run.js";

/** A core is one thread. No answer depends on how many there are. */
const ONE_THREAD = { threads: 1 };

/** What `evaluate` compares. */
interface EvaluateOptions {
  readonly workload?: Workload;
  readonly queries?: QueryList;
  readonly targets?: readonly string[];
}

/** A table that is written into an instance of the engine, chunk by chunk. */
interface Writing {
  readonly engine: Instance;
  readonly chunks: ReturnType<typeof writtenChunks>;
}

export const HANDLERS: Readonly<Record<string, Handler>> = {
  ...READING,
  ...COLUMNS,

  version: () => message({ version: VERSION }),

  schema({ descriptor }) {
    const schema = parseSchema(descriptor);
    const encoding = encodingOf(schema);
    const { attributes, readFacts, missingValues } = schema;
    const fields = schema.fields.map(({ name, type, role, required, notation }) => {
      const spelling = notation?.spelling;
      const offset = spelling?.unit === "s" ? spelling.offset?.seconds : undefined;
      return { name, type, role, required, offset };
    });
    const reads = neededColumns(schema);
    const decodes = engineDecodes(encoding);
    const facts = { fields, reads, attributes, readFacts, missingValues, encoding, decodes };
    return message({ schema: shelf.put("schema", schema), ...facts });
  },

  confirm: ({ descriptor, columns }) =>
    message({ descriptor: confirmFacts(descriptor, columns as string[] | undefined) }),

  plan(given) {
    const options = { ...(given.options as PlanOptions), publicTable: publicTableOf(given) };
    const made = plan(schemaOf(given), options);
    return message({ plan: shelf.put("plan", made), facts: made.toJSON() });
  },

  budget({ state }) {
    const budget = Budget.fromJSON(typeof state === "string" ? state : JSON.stringify(state));
    return message({ budget: shelf.put("budget", budget), state: budget.toJSON() });
  },

  measure(given, [noiseKey], caller) {
    const planned = shelf.get<Plan>("plan", given.plan);
    const options = { ...(given.options as MeasureOptions), ...ONE_THREAD, unsafeNoiseKey: noiseKey?.bytes };
    return begun(given, caller, (hooks) => measure(tableOf(given.table), planned, { ...options, ...hooks }));
  },

  resume(given, [noiseKey], caller) {
    const stated = { ...(given.options as ResumeOptions), publicTable: publicTableOf(given) };
    const options = { ...stated, ...ONE_THREAD, unsafeNoiseKey: noiseKey?.bytes };
    return begun(given, caller, (hooks) => resume(tableOf(given.table), releaseOf(given), { ...options, ...hooks }));
  },

  next: ({ run }) => shelf.get<Run>("run", run).next(),

  release(_, [text]) {
    const release = parseRelease(text.text());
    return message({ release: shelf.put("release", release), facts: factsOf(release) });
  },

  async resample(given, _, caller) {
    const options = { ...(given.options as ResampleOptions), publicTable: publicTableOf(given), ...caller };
    const made = await resample(releaseOf(given), options);
    const tables = made.tables.map((table) => shelf.put("table", table));
    const { length, names } = made.table;
    const release = shelf.put("release", made);
    return message(
      { tables, rows: length, columns: names, outcome: made.outcome, release, facts: factsOf(made) },
      made.toText(),
    );
  },

  write({ table }) {
    const written = tableOf(table);
    const engine = new Instance();
    const writing: Writing = { engine, chunks: writtenChunks(engine, written) };
    return message({ writer: shelf.put("writer", writing, () => engine.drop()) });
  },

  async chunk({ writer }) {
    const { engine, chunks } = shelf.get<Writing>("writer", writer);
    const next = chunks.next();
    if (!next.done) return message({ instance: engine.number, ...next.value });
    await shelf.drop(writer);
    return message({ instance: 0, pointer: 0, bytes: 0 });
  },

  async evaluate(given, _, caller) {
    const compared = [tableOf(given.real), tableOf(given.synthetic), schemaOf(given)] as const;
    const options = (given.options ?? {}) as EvaluateOptions;
    onlyKnown(options, ["workload", "queries", "targets"]);
    const { workload, queries, targets } = options;
    const test = given.test === undefined ? undefined : tableOf(given.test);
    expectArgument(
      !test || targets !== undefined,
      "targets, which a test table is for",
      "Name the columns to predict.",
    );
    const errors = nonPrivateQueryErrors(...compared, workload, queries, targets);
    if (targets === undefined) return message(errors);
    return message({ ...errors, utility: await nonPrivateUtility(...compared, targets, { ...caller, test }) });
  },

  async drop({ object }) {
    await shelf.drop(object);
    return message(null);
  },
};

/** Begins a run. What leaves it on the way is handed over one event at a time (`next`). */
function begun(
  given: Given,
  { onProgress, signal: caller }: Required<Watcher>,
  job: (
    hooks: Pick<MeasureOptions & ResumeOptions, "budget" | "onRound" | "onProgress" | "signal">,
  ) => Promise<Release>,
): Message {
  const run = new Run(async (tell, signal) => {
    const keep = (state: string) => tell(message({ event: "charged" }, state));
    const budget =
      given.budget === undefined ? undefined : new HostBudget(shelf.get<Budget>("budget", given.budget), keep);
    const onRound = (unfinished: Release) => tell(message({ event: "round" }, unfinished.toText()));
    const release = await job({ budget, onRound: given.rounds ? onRound : undefined, onProgress, signal });
    const number = shelf.put("release", release);
    return message({ event: "measured", release: number, facts: factsOf(release) }, release.toText());
  }, caller);
  return message({ run: shelf.put("run", run, () => run.close()) });
}

/** What hosts show of a release. */
function factsOf({ facts: { guarantee, noGuarantee, unfinished } }: Release): object {
  return { guarantee, noGuarantee, isUnfinished: unfinished !== undefined };
}
