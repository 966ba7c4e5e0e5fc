import { type Budget, SharedBudget, type Standing } from "../privacy/budget.js";
import type { Ledger } from "../privacy/ledger.js";

/** A budget whose state the host keeps: each change is handed to it before the run goes on. */
export class HostBudget extends SharedBudget {
  readonly #budget: Budget;
  readonly #keep: (state: string) => Promise<void>;

  /** @param keep resolves once the host has kept the state */
  constructor(budget: Budget, keep: (state: string) => Promise<void>) {
    super();
    this.#budget = budget;
    this.#keep = keep;
  }

  override async begin(ledger: Ledger, standing?: Standing): Promise<void> {
    this.#budget.begin(ledger, standing);
    await this.#keep(JSON.stringify(this.#budget));
  }

  override async goOn(from: Standing, to: Standing): Promise<void> {
    this.#budget.goOn(from, to);
    await this.#keep(JSON.stringify(this.#budget));
  }
}
