import { StandinError } from "../core/errors.js";
import { Table } from "../core/table.js";
import { checkThreads } from "../core/threads.js";
import { Budget } from "../privacy/budget.js";
import { Door } from "../privacy/door.js";
import { measurementsOf, Release, type ReleasedItem, type Unfinished } from "../privacy/release.js";
import { factsOf } from "./facts.js";
import { checkRowOptions, expectArgument, onlyKnown, ROW_OPTIONS, type RowOptions } from "./options.js";
import { Plan, type PlanOptions, plan as planAgain } from "./plan.js";
import { drawItems, totalOf } from "./rounds.js";

/** Options of a run from a table to a release, and to rows. */
export interface MeasureOptions extends RowOptions, ResumeOptions {
  /** A budget shared by several releases, charged before anything is measured. */
  budget?: Budget;
}

/** Options of a run that goes on. */
export interface ResumeOptions extends Pick<RowOptions, "onProgress" | "signal"> {
  /**
   * Given what was measured so far whenever that has grown by a round: keep its JSON, and `resume` goes on with it at no cost if this
   * run does not come to its end. A plan without rounds never calls it.
   */
  onRound?: (unfinished: Release) => void | Promise<void>;
  /** How many threads count, 1 … 64 (default 1); no byte depends on it. Where no others start, one does all the work and says so. */
  threads?: number;
  /** For tests only: a known noise key of 32 bytes. The release then has no guarantee. */
  unsafeNoiseKey?: Uint8Array;
}

/**
 * Measures a table through the door, and nothing more: keep the result before searching, so that a lost search costs nothing.
 * @throws {StandinError} `budget/exceeded` before anything is measured; `options/…`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\nF\n", schema);
 * const release = await measure(table, plan(schema, { epsilon: 1 }));
 * const kept = JSON.stringify(release); // the content of release.json
 * const { table: rows } = await resample(parseRelease(kept), { rows: 10 });
 * rows.length; // → 10
 */
export async function measure(table: Table, plan: Plan, options: MeasureOptions = {}): Promise<Release> {
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read");
  expectArgument(plan instanceof Plan, "a plan that plan() has made");
  expectArgument(!options.budget || options.budget instanceof Budget, "a budget made by new Budget({ … })");
  onlyKnown(options, MEASURE_OPTIONS);
  const { rows, seed = freshSeed() } = checkRowOptions(options);
  if (rows !== undefined) plan.checkRows(rows);
  return draw(table, plan, { drawn: [], rows, seed, noiseIsKnown: false }, options);
}

/**
 * Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again; the rest is drawn under a
 * fresh key.
 * @param table the table that the release was begun with
 * @throws {StandinError} `release/finished` where nothing is left to do, `release/other-plan`; `schema/other-table`; `options/…`
 * @example
 * const fields = ["a", "b", "c"].map((name) => ({ name, type: "boolean", constraints: { required: true } }));
 * const schema = parseSchema({ fields });
 * const table = parseCsv("a,b,c\ntrue,false,true\n", schema);
 * const begun: string[] = [];
 * const onRound = (unfinished: Release) => {
 *   begun.push(JSON.stringify(unfinished));
 * };
 * await measure(table, plan(schema, { epsilon: 1, rounds: 2 }), { onRound });
 * const release = await resume(table, parseRelease(begun[0])); // as if the run had ended after the first round
 * release.facts.unfinished; // → undefined
 */
export async function resume(table: Table, unfinished: Release, options: ResumeOptions = {}): Promise<Release> {
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read");
  expectArgument(unfinished instanceof Release, "a release from parseRelease()");
  onlyKnown(options, RESUME_OPTIONS);
  const { schema, items, facts } = unfinished;
  if (!facts.unfinished)
    throw new StandinError(
      "release/finished",
      "This release has been measured to its end.",
      "Make rows from it: that takes no table.",
    );
  const plan = planAgain(schema, facts.unfinished.request as PlanOptions);
  const noiseIsKnown = facts.guarantee === null && plan.guarantee !== null;
  const begun = { drawn: items, rows: facts.unfinished.rows, seed: Number(facts.search.seed), noiseIsKnown };
  return draw(table, plan, begun, options);
}

const RESUME_OPTIONS: readonly (keyof ResumeOptions)[] = [
  "onProgress",
  "signal",
  "onRound",
  "threads",
  "unsafeNoiseKey",
];
const MEASURE_OPTIONS: readonly (keyof MeasureOptions)[] = [...ROW_OPTIONS, ...RESUME_OPTIONS, "budget"];

/** What a run begins with. */
interface Begun {
  readonly drawn: readonly ReleasedItem[];
  /** The rows asked for. */
  readonly rows: number | undefined;
  readonly seed: number;
  /** Whether what was drawn was drawn under a known key. */
  readonly noiseIsKnown: boolean;
}

async function draw(table: Table, plan: Plan, begun: Begun, options: MeasureOptions): Promise<Release> {
  const { onRound, onProgress, signal, unsafeNoiseKey, budget } = options;
  const threads = checkThreads(options.threads);
  const { drawn, rows, seed } = begun;
  signal?.throwIfAborted();
  const noiseIsKnown = begun.noiseIsKnown || unsafeNoiseKey !== undefined;
  const asked = { names: table.names, delimiter: table.delimiter, rows, seed, noiseIsKnown };
  const released = (items: readonly ReleasedItem[], unfinished?: Unfinished) => {
    const facts = factsOf(plan, totalOf(plan, measurementsOf(items)), asked);
    return new Release(plan.schema, [...items], { ...facts, unfinished });
  };
  const onDrawn =
    onRound && ((items: readonly ReleasedItem[]) => onRound(released(items, { request: plan.request, rows })));
  const door = new Door(table, plan.schema, plan.ledger, { budget, unsafeNoiseKey, threads }, drawn.length > 0);
  let items: readonly ReleasedItem[];
  try {
    items = await drawItems({ plan, door, drawn, seed, onDrawn, onProgress, signal });
  } finally {
    await door.close();
  }
  onProgress?.({ phase: "measured" });
  return released(items);
}

const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0];
