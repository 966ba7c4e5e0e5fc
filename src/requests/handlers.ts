// Answers to the requests of hosts in other languages (bindings/CORE.md). They hold schemas, plans, tables and releases
// by number; the package checks what they give.
import { host } from "../core/host.js";
import type { Watcher } from "../core/progress.js";
import type { Table } from "../core/table.js";
import { VERSION } from "../core/version.js";
import { Instance } from "../engine/instance.js";
import { StoredReader } from "../files/stored-reader.js";
import { writtenChunks } from "../files/writer.js";
import { type MeasureOptions, measure, type ResumeOptions, resume } from "../frame/measure.js";
import { type Plan, type PlanOptions, plan } from "../frame/plan.js";
import type { Release } from "../frame/release.js";
import { parseRelease } from "../frame/release-parser.js";
import { type ResampleOptions, resample } from "../frame/resample.js";
import { confirmFacts } from "../owner/confirm.js";
import { nonPrivateQueryErrors } from "../owner/query-errors.js";
import { Budget } from "../privacy/budget.js";
import type { Workload } from "../queries/workload.js";
import { parseSchema, type Schema } from "../schema/schema.js";
import { HostBudget } from "./host-budget.js";
import { type Given, type Handler, type Message, message } from "./message.js";
import { Run } from "./run.js";
import { Shelf } from "./shelf.js";

const shelf = new Shelf();
const schemaOf = (given: Given) => shelf.get<Schema>("schema", given.schema);
const tableOf = (number: unknown) => shelf.get<Table>("table", number);
const releaseOf = (given: Given) => shelf.get<Release>("release", given.release);
const publicTableOf = ({ publicTable }: Given) => (publicTable === undefined ? undefined : tableOf(publicTable));

/** A core is one thread. No answer depends on how many there are. */
const ONE_THREAD = { threads: 1 };

/** A table that is written into an instance of the engine, chunk by chunk. */
interface Writing {
  readonly engine: Instance;
  readonly chunks: ReturnType<typeof writtenChunks>;
}

export const HANDLERS: Readonly<Record<string, Handler>> = {
  version: () => message({ version: VERSION }),

  schema({ descriptor }) {
    const schema = parseSchema(descriptor);
    const { encoding = "utf-8" } = schema.dialect;
    const { attributes, readFacts, missingValues } = schema;
    const fields = schema.fields.map(({ name, type, role, required }) => ({ name, type, role, required }));
    const facts = { fields, attributes, readFacts, missingValues, encoding: host().encoding(encoding) };
    return message({ schema: shelf.put("schema", schema), ...facts });
  },

  confirm: ({ descriptor, columns }) =>
    message({ descriptor: confirmFacts(descriptor, columns as string[] | undefined) }),

  plan(given) {
    const options = { ...(given.options as PlanOptions), publicTable: publicTableOf(given) };
    const made = plan(schemaOf(given), options);
    return message({ plan: shelf.put("plan", made), facts: made.toJSON() });
  },

  read(given) {
    const reader = new StoredReader(schemaOf(given));
    return message({ reader: shelf.put("reader", reader, () => reader.close()) });
  },

  room({ reader, bytes }) {
    const stored = shelf.get<StoredReader>("reader", reader);
    return message({ instance: stored.engine.number, ...stored.room(bytes as number) });
  },

  took({ reader, bytes }) {
    shelf.get<StoredReader>("reader", reader).took(bytes as number);
    return message(null);
  },

  table({ reader }) {
    const stored = shelf.get<StoredReader>("reader", reader);
    const table = stored.end();
    shelf.forget(reader);
    return message({ table: shelf.put("table", table, () => stored.close()), columns: table.names });
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
      JSON.stringify(made),
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

  evaluate: (given) =>
    message(
      nonPrivateQueryErrors(
        ...([tableOf(given.real), tableOf(given.synthetic), schemaOf(given), given.workload as Workload] as const),
      ),
    ),

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
    const onRound = (unfinished: Release) => tell(message({ event: "round" }, JSON.stringify(unfinished)));
    const release = await job({ budget, onRound, onProgress, signal });
    const number = shelf.put("release", release);
    return message({ event: "measured", release: number, facts: factsOf(release) }, JSON.stringify(release));
  }, caller);
  return message({ run: shelf.put("run", run, () => run.close()) });
}

/** What hosts show of a release. */
function factsOf({ facts: { guarantee, noGuarantee, unfinished } }: Release): object {
  return { guarantee, noGuarantee, isUnfinished: unfinished !== undefined };
}
