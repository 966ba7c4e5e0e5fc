import { StandinError } from "../core/errors.js";
import { type Neighbours, RHO_UNIT, rhoOf, unitsOf } from "./accounting.js";
import type { Ledger } from "./plan.js";

/** One release's charge: ρ in units of 2^−52 as decimal text, and δ. */
export interface Charge {
  readonly rho: string;
  readonly delta: number;
}

/** The state of a budget over several releases, as its file holds it. */
export interface BudgetState {
  readonly epsilon: number;
  readonly delta: number;
  readonly neighbours: Neighbours;
  readonly unit: "row" | { readonly maxRows: number };
  readonly spent: readonly Charge[];
}

/**
 * A budget that several releases of the same rows share: they add up (ρ by composition of zCDP, δ by union), and a release that
 * would exceed (ε, δ) is refused before a row is looked at. A charge stays even if the run fails afterwards.
 * @example
 * const budget = new Budget({ epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row" });
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\n", schema);
 * await measure(table, plan(schema, { epsilon: 1 }), { budget });
 * budget.toJSON().spent.length; // → 1
 */
export class Budget {
  readonly #state: BudgetState;
  readonly #spent: Charge[];

  /**
   * @param state ε in [1e-6, 1000], δ in (0, 1), the relation and unit that every release must have, and earlier charges
   * @throws {StandinError} `budget/state` where this is not such a state
   */
  constructor(state: Omit<BudgetState, "spent"> & { spent?: readonly Charge[] }) {
    const { epsilon, delta, neighbours, unit, spent = [] } = state ?? {};
    const wrong = (what: string) =>
      new StandinError("budget/state", `The budget's ${what}.`, `Write it as ${JSON.stringify(EXAMPLE)}.`);
    if (!(typeof epsilon === "number" && epsilon >= 1e-6 && epsilon <= 1000))
      throw wrong("epsilon is not a number from 1e-6 to 1000");
    if (!(typeof delta === "number" && delta > 0 && delta < 1)) throw wrong("delta is not a number between 0 and 1");
    if (neighbours !== "add-remove" && neighbours !== "replace")
      throw wrong('neighbours are neither "add-remove" nor "replace"');
    if (unit !== "row" && !(Number.isSafeInteger(unit?.maxRows) && unit.maxRows >= 1))
      throw wrong('unit is neither "row" nor { "maxRows": k }');
    if (!Array.isArray(spent) || !spent.every(isCharge)) throw wrong("spent charges are not a list of { rho, delta }");
    this.#state = { epsilon, delta, neighbours, unit: unit === "row" ? unit : { maxRows: unit.maxRows }, spent: [] };
    this.#spent = spent.map(({ rho, delta }) => ({ rho, delta }));
  }

  /**
   * Charges a release.
   * @throws {StandinError} `budget/exceeded`, or `budget/mismatch` where relation or unit differ; nothing is charged then
   */
  charge(ledger: Ledger): void {
    const { epsilon, delta, neighbours, unit } = this.#state;
    const asked = ledger.unit === "row" ? "row" : { maxRows: ledger.unit.maxRows };
    if (ledger.neighbours !== neighbours || JSON.stringify(asked) !== JSON.stringify(unit))
      throw new StandinError(
        "budget/mismatch",
        `The shared budget is for neighbours ${neighbours} and unit ${JSON.stringify(unit)}, ` +
          `this release has ${ledger.neighbours} and ${JSON.stringify(asked)}.`,
        "Use a budget of the same kind.",
      );
    const { charge } = ledger;
    const before = this.#spent.reduce((sum, { rho }) => sum + BigInt(rho), 0n);
    const deltas = this.#spent.reduce((sum, entry) => sum + entry.delta, 0);
    const whole = deltas < delta ? unitsOf(rhoOf(epsilon, delta - deltas)) : 0n;
    if (before + charge > whole) {
      const left = whole > before ? Number(whole - before) * RHO_UNIT : 0;
      throw new StandinError(
        "budget/exceeded",
        `This release needs ρ = ${Number(charge) * RHO_UNIT}; of the shared budget (ε = ${epsilon}, δ = ${delta}) ρ = ${left} is left.`,
        "Ask for a smaller epsilon, or reuse an earlier release: more rows from it cost nothing.",
      );
    }
    this.#spent.push({ rho: String(charge), delta: 0 });
  }

  /** The state to keep, with every charge so far. */
  toJSON(): BudgetState {
    return { ...this.#state, spent: [...this.#spent] };
  }
}

/** What a budget file looks like before the first charge. */
export const EXAMPLE: BudgetState = { epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };

function isCharge(entry: unknown): entry is Charge {
  const { rho, delta } = (entry ?? {}) as Partial<Charge>;
  return typeof rho === "string" && /^\d{1,20}$/.test(rho) && typeof delta === "number" && delta >= 0 && delta < 1;
}
