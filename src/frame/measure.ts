import { StandinError } from "../core/errors.js";
import { Table } from "../core/table.js";
import { checkThreads } from "../core/threads.js";
import { SharedBudget, type Standing } from "../privacy/budget.js";
import { Door } from "../privacy/door.js";
import { isQueryItem } from "../privacy/ledger.js";
import { freshBytes } from "../privacy/seed.js";
import { totalOf } from "../selection/problem.js";
import { drawItems } from "./draw.js";
import { factsOf, isOfPlan } from "./facts.js";
import { checkRowOptions, expectArgument, onlyKnown, ROW_OPTIONS, type RowOptions } from "./options.js";
import { Plan, type PlanOptions, plan as planAgain } from "./plan.js";
import { measurementsOf, Release, type ReleasedItem, type Unfinished } from "./release.js";

/** Options of a run from a table to a release, and to rows. */
export interface MeasureOptions extends RowOptions, ResumeOptions {}

/** Options of a run that goes on. */
export interface ResumeOptions extends Pick<RowOptions, "onProgress" | "signal"> {
  /**
   * A budget shared by several releases, charged before anything is measured. Of a release with rounds it counts what
   * is measured: `resume` needs it where `measure` had it, and refuses a copy that another run has gone on with.
   */
  budget?: SharedBudget;
  /**
   * Given what was measured so far whenever that has grown by a round, and, with a budget, as `resume` begins: keep its
   * JSON (and the budget's), and `resume` goes on with it at no cost if this run does not come to its end. A plan
   * without rounds never calls it.
   */
  onRound?: (unfinished: Release) => void | Promise<void>;
  /** How many threads count, 1 … 64 (default 1); no byte depends on it. Where no others start, one does all the work and says so. */
  threads?: number;
  /** For tests only: a known noise key of 32 bytes. The release then has no guarantee. */
  unsafeNoiseKey?: Uint8Array;
}

/**
 * Measures a table through the door, and nothing more: keep the result before searching, so that a lost search costs nothing.
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
  expectArgument(table instanceof Table, "a table that readCsv or parseCsv has read");
  expectArgument(plan instanceof Plan, "a plan that plan() has made");
  onlyKnown(options, MEASURE_OPTIONS);
  checkBudget(options);
  const { rows, seed = freshSeed() } = checkRowOptions(options);
  if (rows !== undefined) plan.checkRows(rows);
  return draw(table, plan, { drawn: [], rows, seed, noiseIsKnown: false, standing: undefined }, options);
}

/**
 * Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again; the rest is drawn under a
 * fresh key.
 * @param table the table that the release was begun with
 * @throws {StandinError} `release/finished` where nothing is left to do, `release/other-plan`; `budget/missing`,
 * `budget/unknown`, `budget/resumed`, all before anything is measured; `schema/other-table`; `options/…`;
 * `privacy/no-random`
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
  checkBudget(options);
  const { schema, items, facts } = unfinished;
  if (!facts.unfinished)
    throw new StandinError(
      "release/finished",
      "This release is already fully measured.",
      "Make rows from it (resample; on the command line --from): that needs no table.",
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
  const plan = planAgain(schema, facts.unfinished.request as PlanOptions);
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

/** Where an unfinished release stands, as its file says, if it was begun with a shared budget. */
export function standingOf({ facts: { unfinished }, items }: Release): Standing | undefined {
  const { release, run } = unfinished ?? {};
  return release === undefined ? undefined : { release, run, items: items.length };
}

function checkBudget({ budget }: ResumeOptions): void {
  expectArgument(!budget || budget instanceof SharedBudget, "a budget made by new Budget({ … })");
}

const RESUME_OPTIONS: readonly (keyof ResumeOptions)[] = [
  "budget",
  "onProgress",
  "signal",
  "onRound",
  "threads",
  "unsafeNoiseKey",
];
const MEASURE_OPTIONS: readonly (keyof MeasureOptions)[] = [...ROW_OPTIONS, ...RESUME_OPTIONS];

/**
 * Draws bytes in vain: a host that cannot give the key is found out before anything is charged.
 * @throws {StandinError} `privacy/no-random`
 */
export function checkRandom(): void {
  freshBytes(32);
}

/** What a run begins with. */
interface RunStart {
  readonly drawn: readonly ReleasedItem[];
  /** The rows asked for. */
  readonly rows: number | undefined;
  readonly seed: number;
  /** Whether what was drawn was drawn under a known key. */
  readonly noiseIsKnown: boolean;
  /** Where its charge stands, if an earlier run had a shared budget. */
  readonly standing: Standing | undefined;
}

/**
 * Draws what is left of a plan. A shared budget is charged, or takes this run's name, before the first draw; and it
 * counts what was drawn before that leaves this function, so that of two runs that go on from one place one is refused
 * with nothing told.
 */
async function draw(table: Table, plan: Plan, begun: RunStart, options: MeasureOptions): Promise<Release> {
  const { onRound, onProgress, signal, unsafeNoiseKey, budget } = options;
  const threads = checkThreads(options.threads);
  const { drawn, rows, seed } = begun;
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
    items = await drawItems({ plan, door, drawn, seed, onDrawn, onProgress, signal });
  } finally {
    await door.close();
  }
  const release = released(items);
  if (standing) await goOn(standing, { release: standing.release, items: items.length }, release);
  onProgress?.({ phase: "measured" });
  return release;
}

/** Whether rounds choose what is measured: then a run may be gone on with. */
const hasChoices = ({ ledger }: Plan): boolean => ![...ledger.items, ...ledger.shown].every(isQueryItem);

const freshSeed = (): number => new Uint32Array(freshBytes(4).buffer)[0];

/** A random name: 32 hexadecimal digits. */
const freshName = (): string => Array.from(freshBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
