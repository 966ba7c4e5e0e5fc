import { expectArgument } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { forUsers } from "../core/option-text.js";
import { Table } from "../core/table.js";
import { checkThreads } from "../core/threads.js";
import { SharedBudget, type Standing } from "../privacy/budget.js";
import { Door } from "../privacy/door.js";
import { isQueryItem } from "../privacy/ledger.js";
import { freshBytes } from "../privacy/seed.js";
import { totalOf } from "../selection/problem.js";
import { drawItems } from "./draw.js";
import { factsOf, isOfPlan } from "./facts.js";
import { checkRowOptions, onlyKnown, openEngines, ROW_OPTIONS, type RowOptions } from "./options.js";
import { Plan, type PlanOptions, plan as planAgain } from "./plan.js";
import { checkPrivate, checkSamePublicTable, type PublicTableOption, publicTableOf, READ_IT } from "./public-table.js";
import { measurementsOf, Release, type ReleasedItem, type Unfinished } from "./release.js";

/** Options for measuring a table and, in `synthesize`, for making rows. */
export interface MeasureOptions extends RowOptions, DrawOptions {}

/** Options for continuing a run. */
export interface ResumeOptions extends DrawOptions, PublicTableOption {}

interface DrawOptions extends Pick<RowOptions, "engine" | "gpuFrom" | "onProgress" | "signal"> {
  /**
   * A budget shared by several releases, charged before anything is measured. For a release with rounds, it also counts
   * what has been measured: `resume` needs the budget if `measure` had one, and refuses a copy that another run has
   * continued.
   */
  budget?: SharedBudget;
  /**
   * Called with everything measured so far each time a round has been added (of many short rounds, a few) and, with a
   * budget, when `resume` begins. Store its JSON (and the budget's): if this run does not finish, `resume` continues
   * from it at no further cost. A plan without rounds never calls it.
   */
  onRound?: (unfinished: Release) => void | Promise<void>;
  /**
   * How many threads count, 1 … 64 (default 1). The output does not depend on it. If no other thread starts, this one
   * does all the work and says so.
   */
  threads?: number;
  /** For tests only: a known noise key of 32 bytes. The release then has no guarantee. */
  unsafeNoiseKey?: Uint8Array;
}

/**
 * Measures a table through the door, and nothing more. Store the result before searching, so that a failed search costs
 * no budget.
 * @throws {StandinError} `privacy/no-random` and `budget/exceeded` before anything is measured; `options/…`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\nF\n", schema);
 * const release = await measure(table, plan(schema, { epsilon: 1 }));
 * const kept = JSON.stringify(release); // the content of release.json
 * const { table: rows } = await resample(parseRelease(kept), { rows: 10 });
 * rows.length; // → 10
 */
export async function measure(table: Table, plan: Plan, options: MeasureOptions = {}): Promise<Release> {
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read", READ_IT);
  expectArgument(
    plan instanceof Plan,
    "a plan that plan() has made",
    "Make one of the schema: plan(schema, { epsilon: 1 }).",
  );
  onlyKnown(options, MEASURE_OPTIONS);
  checkDrawOptions(options);
  const { rows, seed = freshSeed() } = checkRowOptions(options);
  plan.checkRows(rows);
  return draw(table, plan, { drawn: [], rows, seed, noiseIsKnown: false, standing: undefined }, options);
}

/**
 * Measures the rounds that an unfinished release still lacks. What it already holds is neither measured nor charged
 * again. The rest is drawn under a fresh key.
 * @param table the table that the release was begun with. Only its columns can be checked: a release keeps nothing
 *   else by which its rows could be recognised. With another table, it would mix answers about both.
 * @throws {StandinError} `release/finished` where nothing is left to measure, `release/other-plan`,
 * `release/other-table`; `budget/missing`, `budget/unknown`, `budget/resumed`, all before anything is measured;
 * `schema/other-table`; `options/…`; `privacy/no-random`
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
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read", READ_IT);
  expectArgument(unfinished instanceof Release, "a release from parseRelease()");
  onlyKnown(options, RESUME_OPTIONS);
  checkDrawOptions(options);
  const { schema, items, facts } = unfinished;
  if (!facts.unfinished)
    throw new StandinError(
      "release/finished",
      "This release is already fully measured.",
      `Make rows from it (${forUsers("resample", "--from")}): that needs no table.`,
    );
  const standing = standingOf(unfinished);
  if (standing && !options.budget)
    throw new StandinError(
      "budget/missing",
      "This release was started with a shared budget, which counts its measurements.",
      "Give that budget.",
    );
  if (!standing && options.budget)
    throw new StandinError(
      "budget/unknown",
      "This release was started without a shared budget.",
      "Leave the budget out.",
    );
  if (JSON.stringify(table.names) !== JSON.stringify(facts.columns))
    throw new StandinError(
      "release/other-table",
      "This table has other columns, or another order of them, than the one that this release was begun with.",
      "Give the same table.",
    );
  const publicTable = publicTableOf(options.publicTable, schema);
  checkPrivate(table, publicTable); // first: it says what is wrong, where the next check says only that something is
  checkSamePublicTable(facts.publicTable, publicTable);
  const plan = planAgain(schema, { ...(facts.unfinished.request as PlanOptions), publicTable: options.publicTable });
  if (!isOfPlan(facts, plan))
    throw new StandinError(
      "release/other-plan",
      "The budget and mechanism that this release states do not follow from its own request.",
      "Continue with the file as the interrupted run left it.",
    );
  const noiseIsKnown = facts.guarantee === null && plan.guarantee !== null;
  const begun = { drawn: items, rows: facts.unfinished.rows, seed: Number(facts.search.seed), noiseIsKnown, standing };
  return draw(table, plan, begun, options);
}

/** The standing that an unfinished release records in its file, if it was begun with a shared budget. */
export function standingOf({ facts: { unfinished }, items }: Release): Standing | undefined {
  const { release, run } = unfinished ?? {};
  return release === undefined ? undefined : { release, run, items: items.length };
}

function checkDrawOptions({ budget, onRound, onProgress, signal, unsafeNoiseKey }: DrawOptions): void {
  for (const [name, hook] of Object.entries({ onRound, onProgress }))
    expectArgument(hook === undefined || typeof hook === "function", `a function as ${name}`);
  expectArgument(signal === undefined || typeof signal?.throwIfAborted === "function", "an AbortSignal as signal");
  const isKey = unsafeNoiseKey instanceof Uint8Array && unsafeNoiseKey.length === 32;
  expectArgument(unsafeNoiseKey === undefined || isKey, "32 bytes as unsafeNoiseKey");
  expectArgument(budget === undefined || budget instanceof SharedBudget, "a budget made by new Budget({ … })");
}

const DRAW_OPTIONS: readonly (keyof DrawOptions)[] = [
  "engine",
  "gpuFrom",
  "budget",
  "onProgress",
  "signal",
  "onRound",
  "threads",
  "unsafeNoiseKey",
];
const RESUME_OPTIONS: readonly (keyof ResumeOptions)[] = [...DRAW_OPTIONS, "publicTable"];
const MEASURE_OPTIONS: readonly (keyof MeasureOptions)[] = [...ROW_OPTIONS, ...DRAW_OPTIONS];

/**
 * Draws random bytes and discards them: a host that cannot supply a key is detected before anything is charged.
 * @throws {StandinError} `privacy/no-random`
 */
export function checkRandom(): void {
  freshBytes(32);
}

/** The state in which a run begins. */
interface RunStart {
  readonly drawn: readonly ReleasedItem[];
  /** The number of rows requested. */
  readonly rows: number | undefined;
  readonly seed: number;
  /** Whether the items drawn so far were drawn under a known key. */
  readonly noiseIsKnown: boolean;
  /** The standing of its charge, if an earlier run had a shared budget. */
  readonly standing: Standing | undefined;
}

/**
 * Draws what is left of a plan. A shared budget is charged, or takes on this run's name, before the first draw. It also
 * counts what was drawn before the results leave this function: if two runs continue from the same standing, one of
 * them is refused before any of its results leave.
 */
async function draw(table: Table, plan: Plan, begun: RunStart, options: MeasureOptions): Promise<Release> {
  const { onRound, onProgress, signal, unsafeNoiseKey, budget } = options;
  const threads = checkThreads(options.threads);
  const engines = await openEngines(options);
  const { drawn, rows, seed } = begun;
  checkPrivate(table, plan.problem.publicTable);
  signal?.throwIfAborted();
  if (unsafeNoiseKey === undefined) checkRandom();
  const noiseIsKnown = begun.noiseIsKnown || unsafeNoiseKey !== undefined;
  const asked = { names: table.names, delimiter: table.delimiter, rows, seed, noiseIsKnown };
  const released = (items: readonly ReleasedItem[], unfinished?: Unfinished) => {
    const facts = factsOf(plan, totalOf(plan.problem, measurementsOf(items)), asked);
    return new Release(plan.schema, [...items], { ...facts, unfinished });
  };
  const run = budget && freshName();
  let { standing } = begun;
  const goOn = async (from: Standing, to: Standing, measured: Release) => {
    await budget?.goOn(from, to, measured);
    standing = to;
  };
  const onDrawn = async (items: readonly ReleasedItem[]) => {
    // Nothing to go on with: the budget is charged without a name by which it could be recognised.
    if (!hasChoices(plan)) return;
    if (!standing && (!onRound || items.length === drawn.length)) return;
    const to = standing && { release: standing.release, run, items: items.length };
    const unfinished = released(items, { request: plan.request, rows, release: to?.release, run: to?.run });
    if (standing && to) await goOn(standing, to, unfinished);
    await onRound?.(unfinished);
  };
  const door = new Door(table, plan.schema, plan.ledger, { unsafeNoiseKey, threads });
  let items: readonly ReleasedItem[];
  try {
    if (budget && !standing) {
      if (hasChoices(plan)) standing = { release: freshName(), run, items: 0 };
      await budget.begin(plan.ledger, standing);
    }
    items = await drawItems({ plan, door, drawn, seed, engines, onDrawn, onProgress, signal });
  } finally {
    await door.close();
  }
  const release = released(items);
  if (standing) await goOn(standing, { release: standing.release, items: items.length }, release);
  onProgress?.({ phase: "measured" });
  return release;
}

/** Whether rounds choose what is measured. If so, the run can be continued later. */
const hasChoices = ({ ledger }: Plan): boolean => ![...ledger.items, ...ledger.shown].every(isQueryItem);

const freshSeed = (): number => new Uint32Array(freshBytes(4).buffer)[0];

/** A random name: 32 hexadecimal digits. */
const freshName = (): string => Array.from(freshBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
