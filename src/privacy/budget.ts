import { StandinError } from "../core/errors.js";
import { epsilonOf, type Neighbours, RHO_UNIT, rhoOf, unitsOf } from "./accounting.js";
import { EPSILON, type Ledger } from "./ledger.js";

/** How far a release with rounds has come. Its charge and its unfinished file record the same. */
export interface Standing {
  /** A random name for the release: 32 hexadecimal digits. */
  readonly release: string;
  /** A random name for the run that measures it. Absent once the release is fully measured. */
  readonly run?: string;
  /** How many items have been measured. */
  readonly items: number;
}

/**
 * The charge for one release: ρ in units of 2^−52 as decimal text, and δ. For a release with rounds, also how far it
 * has come.
 */
export interface Charge extends Partial<Standing> {
  readonly rho: string;
  readonly delta: number;
}

/** The state of a budget shared by several releases, as stored in its file. */
export interface BudgetState {
  readonly epsilon: number;
  readonly delta: number;
  readonly neighbours: Neighbours;
  readonly unit: "row" | { readonly maxRows: number };
  readonly spent: readonly Charge[];
}

/** A budget that several releases of the same rows share, wherever it is kept. */
export abstract class SharedBudget {
  /**
   * Charges a release before anything is drawn.
   * @param standing where the release begins, if it has rounds
   */
  abstract begin(ledger: Ledger, standing?: Standing): void | Promise<void>;

  /**
   * Moves a release from one standing to the next, before what was measured leaves the run. If two runs start from the
   * same standing, the second is refused.
   * @param measured the release that is about to leave
   */
  abstract goOn(from: Standing, to: Standing, measured: object): void | Promise<void>;
}

/**
 * A budget that several releases of the same rows share. Releases add up (ρ by composition of zCDP, δ by union), and a
 * release that would exceed (ε, δ) is refused before a row is looked at. A charge stays even if the run fails
 * afterwards.
 * @example
 * const budget = new Budget({ epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row" });
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\n", schema);
 * await measure(table, plan(schema, { epsilon: 1 }), { budget });
 * budget.toJSON().spent.length; // → 1
 * Budget.fromJSON(JSON.stringify(budget)).toJSON().spent.length; // → 1
 */
export class Budget extends SharedBudget {
  readonly #state: BudgetState;
  readonly #spent: Charge[];
  #name = NAME;

  /**
   * @param state ε in [1e-6, 1000], δ in (0, 1), the relation and unit that every release must have, and earlier
   * charges (default: none)
   * @throws {StandinError} `budget/state` where this is not such a state, or has other members
   */
  constructor(state: Omit<BudgetState, "spent"> & { spent?: readonly Charge[] }) {
    super();
    const { spent, ...kind } = checkState({ ...state, spent: state?.spent === undefined ? [] : state.spent }, NAME);
    this.#state = { ...kind, spent: [] };
    this.#spent = [...spent];
  }

  /**
   * Reads a budget written by `JSON.stringify(budget)`.
   * @param name what messages call it
   * @throws {StandinError} `budget/state` where the text is not such a budget. A text without `spent` is refused too,
   * because it would be read as nothing spent.
   */
  static fromJSON(text: string, name = NAME): Budget {
    const budget = new Budget(checkState(parse(text, name), name));
    budget.#name = name;
    return budget;
  }

  /**
   * Charges a release.
   * @throws {StandinError} `budget/exceeded`, or `budget/mismatch` where the relation or the unit differs; in both
   * cases nothing is charged
   */
  override begin(ledger: Ledger, standing?: Standing): void {
    const { epsilon, delta, neighbours, unit } = this.#state;
    const asked = ledger.unit === "row" ? "row" : { maxRows: ledger.unit.maxRows };
    if (ledger.neighbours !== neighbours || JSON.stringify(asked) !== JSON.stringify(unit))
      throw new StandinError(
        "budget/mismatch",
        `The ${this.#name} is for neighbours ${neighbours} and unit ${JSON.stringify(unit)}, ` +
          `but this release has ${ledger.neighbours} and ${JSON.stringify(asked)}.`,
        "Use a budget of the same kind.",
      );
    const { charge } = ledger;
    const before = this.#spent.reduce((sum, { rho }) => sum + BigInt(rho), 0n);
    const deltas = this.#spent.reduce((sum, entry) => sum + entry.delta, 0);
    const whole = deltas < delta ? unitsOf(rhoOf(epsilon, delta - deltas)) : 0n;
    if (before + charge > whole) {
      const left = whole > before ? whole - before : 0n;
      const most = mostEpsilon(left, ledger.delta);
      throw new StandinError(
        "budget/exceeded",
        `This release needs ρ = ${Number(charge) * RHO_UNIT}; of the ${this.#name} (ε = ${epsilon}, δ = ${delta}) ρ = ${Number(left) * RHO_UNIT} is left.`,
        `${most === undefined ? "No epsilon fits: reuse" : `Use an epsilon of at most ${most} (with δ = ${ledger.delta}), or reuse`} an earlier release: more rows from it cost nothing.`,
      );
    }
    this.#spent.push({ rho: String(charge), delta: 0, ...standing });
  }

  /**
   * Moves a release from one standing to the next.
   * @throws {StandinError} for `from`, as `checkStanding` does; nothing is changed then
   */
  override goOn(from: Standing, { release, run, items }: Standing): void {
    this.checkStanding(from);
    const at = this.#spent.findIndex((charge) => charge.release === from.release);
    const { rho, delta } = this.#spent[at];
    this.#spent[at] = { rho, delta, release, ...(run !== undefined && { run }), items };
  }

  /**
   * Refuses a release whose standing is not the one that its charge records.
   * @throws {StandinError} `budget/unknown` where the release was not charged here; `budget/resumed` where another run
   * has continued it
   */
  checkStanding({ release, run, items }: Standing): void {
    const charge = this.#spent.find((charge) => charge.release === release);
    if (!charge)
      throw new StandinError(
        "budget/unknown",
        `The ${this.#name} has no charge for this release.`,
        "Give the one that it was started with, with all its charges.",
      );
    if (charge.run === run && charge.items === items) return;
    const seen = charge.run === undefined ? `all its ${charge.items} items` : `${charge.items} of its items`;
    throw new StandinError(
      "budget/resumed",
      `Another run has continued this release: the ${this.#name} has seen ${seen} measured, but this copy holds ${items}.`,
      "Continue with what that run kept. This copy would measure the same items again, which has not been paid for.",
    );
  }

  /** The state to store, with every charge so far. */
  toJSON(): BudgetState {
    return { ...this.#state, spent: [...this.#spent] };
  }
}

/**
 * The largest ε with four digits for which a release with this δ takes no more than some units of ρ; none if that is
 * less than the smallest ε.
 */
function mostEpsilon(left: bigint, delta: number): number | undefined {
  let epsilon = epsilonOf(Number(left) * RHO_UNIT, delta);
  if (!(epsilon >= EPSILON[0])) return undefined;
  const step = 10 ** (3 - Math.floor(Math.log10(epsilon)));
  for (let digits = Math.floor(epsilon * step); ; digits--) {
    epsilon = Number((digits / step).toPrecision(4));
    if (epsilon < EPSILON[0]) return undefined;
    if (unitsOf(rhoOf(epsilon, delta)) <= left) return Math.min(epsilon, EPSILON[1]);
  }
}

/** The name that messages use for a budget without a name of its own. */
const NAME = "shared budget";

const MEMBERS = ["epsilon", "delta", "neighbours", "unit", "spent"];
const CHARGE_MEMBERS = ["rho", "delta", "release", "run", "items"];

function parse(text: string, name: string): unknown {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw wrong(name, "is not JSON", RESTORE);
  }
  const twice = nameTwice(text);
  if (twice !== undefined) throw wrong(name, `has the member "${twice}" twice`, RESTORE);
  return state;
}

/**
 * A member name that occurs twice in one object of a JSON text. Parsers silently keep the last occurrence, so earlier
 * charges would be lost.
 */
function nameTwice(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/gs)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(string);
      const names = open[open.length - 1];
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/** A checked copy of a state. @throws {StandinError} `budget/state` */
function checkState(state: unknown, name: string): BudgetState {
  if (!isObject(state)) throw wrong(name, "is not a JSON object", RESTORE);
  const { epsilon, delta, neighbours, unit, spent } = state as Partial<BudgetState>;
  const stray = strayOf(state, MEMBERS);
  if (stray !== undefined) throw wrong(name, `has a member "${stray}"`, `Its members are ${MEMBERS.join(", ")}.`);
  if (!(typeof epsilon === "number" && epsilon >= EPSILON[0] && epsilon <= EPSILON[1]))
    throw wrong(name, "has no epsilon that is a number from 1e-6 to 1000");
  if (!(typeof delta === "number" && delta > 0 && delta < 1))
    throw wrong(name, "has no delta that is a number between 0 and 1");
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw wrong(name, 'has no neighbours that are "add-remove" or "replace"');
  if (unit !== "row" && !(isObject(unit) && Number.isSafeInteger(unit.maxRows) && unit.maxRows >= 1))
    throw wrong(name, 'has no unit that is "row" or { "maxRows": k }');
  const ofUnit = unit === "row" ? undefined : strayOf(unit, ["maxRows"]);
  if (ofUnit !== undefined) throw wrong(name, `has a unit with a member "${ofUnit}"`, "Its one member is maxRows.");
  return {
    ...{ epsilon, delta, neighbours },
    unit: unit === "row" ? unit : { maxRows: unit.maxRows },
    spent: checkSpent(spent, name),
  };
}

function checkSpent(spent: unknown, name: string): Charge[] {
  if (spent === undefined)
    throw wrong(
      name,
      "does not say what is spent",
      `Write "spent": [] if nothing is spent; otherwise restore it from a copy.`,
    );
  if (!Array.isArray(spent)) throw wrong(name, "has no list of what is spent", RESTORE);
  const releases = new Set<string>();
  return spent.map((charge: unknown, at) => {
    const which = `has a charge (number ${at + 1} in spent)`;
    if (!isObject(charge)) throw wrong(name, `${which} that is not an object`, RESTORE);
    const stray = strayOf(charge, CHARGE_MEMBERS);
    if (stray !== undefined)
      throw wrong(name, `${which} with a member "${stray}"`, `Its members are ${CHARGE_MEMBERS.join(", ")}.`);
    const { rho, delta, release, run, items } = charge as Partial<Charge>;
    if (!(typeof rho === "string" && /^\d{1,20}$/.test(rho)))
      throw wrong(name, `${which} whose rho is not a whole number in quotes`, RESTORE);
    if (!(typeof delta === "number" && delta >= 0 && delta < 1))
      throw wrong(name, `${which} whose delta is not a number from 0 to below 1`, RESTORE);
    if (release === undefined && run === undefined && items === undefined) return { rho, delta };
    const isWhole = typeof items === "number" && Number.isSafeInteger(items) && items >= 0;
    if (!isName(release) || !isWhole || !(run === undefined || isName(run)))
      throw wrong(name, `${which} whose release, run and items are not as a run writes them`, RESTORE);
    if (releases.has(release)) throw wrong(name, `${which} for a release that already has one`, RESTORE);
    releases.add(release);
    return { rho, delta, release, ...(run !== undefined && { run }), items };
  });
}

/** An example of a budget file before the first charge. */
const EXAMPLE: BudgetState = { epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };
const RESTORE = "Restore it from a copy.";

const wrong = (name: string, what: string, hint = `It starts as ${JSON.stringify(EXAMPLE)}.`) =>
  new StandinError("budget/state", `The ${name} ${what}.`, hint);

/** Whether a value can be the name of a release or of a run. */
export const isName = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const strayOf = (value: object, known: readonly string[]): string | undefined =>
  Object.keys(value).find((member) => !known.includes(member));
