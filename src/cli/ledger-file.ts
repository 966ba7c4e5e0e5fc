import { readFileSync, realpathSync, statSync } from "node:fs";
import { StandinError } from "../core/errors.js";
import { fileError } from "../files/path.js";
import { standingOf } from "../frame/measure.js";
import type { ReleasedItem } from "../frame/release.js";
import { Budget, type BudgetState, type Plan, parseRelease, type Release, type Standing } from "../node.js";
import { SharedBudget } from "../privacy/budget.js";
import { lock } from "./lock.js";
import { checkOutput, placeStaged, replaceFile, stageFile, textIfReadable } from "./output.js";

type Ledger = Plan["ledger"];
type Charge = BudgetState["spent"][number];

/** The measured part that a run keeps alongside its ledger. */
export interface KeptRelease {
  /** The file for its measured part, if there is one. */
  readonly path: string | undefined;
  /** Called when the charge is in the ledger. */
  readonly onCharged: () => void;
  /** Called when a measured part is in place. */
  readonly onPlaced: (measured: Release) => void;
}

/**
 * The ledger file shared by several releases of the same people. It is replaced in one step, under a lock, so
 * simultaneous runs never overspend. A charge stays whatever happens to the run.
 *
 * A measured part with rounds is first staged next to its place, then the ledger is updated, then the part is put in
 * place. So a run that is killed can be resumed from the staged part if that is whole, otherwise from the part in
 * place. The part in place is never ahead of the ledger.
 */
export class LedgerFile extends SharedBudget {
  readonly #path: string;
  readonly #kept: KeptRelease | undefined;
  #placed: Release | undefined;

  /** @param kept the measured part of a run; absent if nothing is charged */
  constructor(path: string, kept?: KeptRelease) {
    super();
    this.#path = path;
    this.#kept = kept;
  }

  /** The measured part that it last put in place. */
  get placed(): Release | undefined {
    return this.#placed;
  }

  /**
   * @throws {StandinError} `ledger/…` if the file is absent, locked or cannot be written; `budget/…` if it cannot pay
   */
  override async begin(ledger: Ledger, standing?: Standing): Promise<void> {
    await this.#locked(existing(this.#path, ledger), (budget, write) => {
      budget.begin(ledger, standing);
      write();
      this.#kept?.onCharged();
    });
  }

  /** @throws {StandinError} `budget/unknown`, `budget/resumed`; otherwise as in `begin` */
  override async goOn(from: Standing, to: Standing, measured: Release): Promise<void> {
    await this.#locked(existing(this.#path), (budget, write) => {
      budget.goOn(from, to);
      const path = this.#kept?.path;
      const staged = path === undefined ? undefined : stageFile(path, `${JSON.stringify(measured)}\n`);
      try {
        write();
      } catch (error) {
        staged?.discard();
        throw error;
      }
      if (!staged) return;
      staged.commit();
      this.#placed = measured;
      this.#kept?.onPlaced(measured);
    });
  }

  /**
   * Rejects a plan that the ledger cannot pay for at present; nothing is charged.
   * @throws {StandinError} as in `begin`
   */
  check(ledger: Ledger): void {
    readLedger(existing(this.#path, ledger)).begin(ledger);
  }

  /** Rejects a release that does not match the state of its charge. @throws {StandinError} as in `goOn` */
  checkStanding(standing: Standing): void {
    readLedger(existing(this.#path)).checkStanding(standing);
  }

  /**
   * Puts in place what a killed run has staged next to a kept file, and updates the ledger if that run could not. A
   * staged part that is incomplete, or was overtaken, is removed. So nothing that was staged whole is measured again.
   */
  async recover(path: string): Promise<void> {
    await this.#locked(existing(this.#path), (budget, write) => {
      const [placed, staged] = [releaseAt(path, "placed"), releaseAt(path, "staged")];
      const charge = staged && chargeBefore(staged, placed, budget.toJSON().spent);
      if (charge) {
        const { release, run } = charge;
        budget.goOn(charge, { release, ...(standingOf(staged) && { run }), items: staged.items.length });
        write();
        placeStaged(path);
      }
      checkOutput(path);
    });
  }

  /**
   * Makes a change to the ledger. There is no `await` during the change, so a signal finds the ledger either before or
   * after it, and unlocked.
   */
  async #locked(file: string, change: (budget: Budget, write: () => void) => void): Promise<void> {
    const unlock = await lock(`${file}.lock`).catch(refuse);
    try {
      const budget = readLedger(file);
      change(budget, () => {
        try {
          replaceFile(file, `${JSON.stringify(budget, null, 2)}\n`);
        } catch (error) {
          refuse(error);
        }
      });
    } finally {
      unlock();
    }
  }
}

/**
 * The charge of a staged release that is where its charge is or, by the same run, further on. For a release that is
 * measured to its end, the file that it continues names the charge.
 */
function chargeBefore(
  staged: Release,
  placed: Release | undefined,
  spent: readonly Charge[],
): (Charge & Standing) | undefined {
  const [of, from] = [standingOf(staged), placed && standingOf(placed)];
  const name = (of ?? from)?.release;
  const isNamed = (charge: Charge): charge is Charge & Standing => name !== undefined && charge.release === name;
  const charge = spent.find(isNamed);
  if (!charge) return undefined;
  if (of) return charge.run === of.run && charge.items <= of.items ? charge : undefined;
  const isWhole = charge.run === undefined && charge.items === staged.items.length;
  const isPlaced = charge.run === from?.run && charge.items === from?.items;
  return (isWhole || isPlaced) && placed && isContinued(placed, staged) ? charge : undefined;
}

/** Whether a release begins with all that another has measured. Noise ensures that no two unrelated releases do. */
function isContinued({ items }: Release, by: Release): boolean {
  const outcome = (item: ReleasedItem | undefined) =>
    JSON.stringify(item && ("chosen" in item ? item.chosen : Array.from(item.measurement.answers)));
  return items.every((item, at) => outcome(item) === outcome(by.items[at]));
}

function releaseAt(path: string, which: "placed" | "staged"): Release | undefined {
  const text = textIfReadable(path, which);
  try {
    return text === undefined ? undefined : parseRelease(text);
  } catch {
    return undefined;
  }
}

/** The ledger's own path. @param asked the ledger to be charged, for the message if there is no ledger file yet */
function existing(path: string, asked?: Ledger): string {
  try {
    return checkKind(realpathSync(path));
  } catch (error) {
    if (error instanceof StandinError) throw error;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileError(error, path);
    const hint = asked ? startOf(asked) : "Give the ledger that the release was started with.";
    throw new StandinError("ledger/absent", `The ledger ${path} does not exist.`, hint);
  }
}

function startOf({ neighbours, unit }: Ledger): string {
  const asked = unit === "row" ? "row" : { maxRows: unit.maxRows };
  const start: BudgetState = { epsilon: 3, delta: 1e-8, neighbours, unit: asked, spent: [] };
  return `Its owner creates it once, with the total budget for these people, such as ${JSON.stringify(start)}`;
}

/** Rejects a ledger that cannot be replaced in one step, or that would keep its old content under another name. */
function checkKind(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile())
    throw new StandinError(
      "ledger/kind",
      `The ledger ${file} is not a regular file.`,
      "Keep the ledger in a regular file.",
    );
  if (stats.nlink > 1)
    throw new StandinError(
      "ledger/kind",
      `The ledger ${file} has ${stats.nlink} names (hard links): a charge would reach only one of them.`,
      "Keep one name, or use symbolic links.",
    );
  return file;
}

function readLedger(file: string): Budget {
  let text: string;
  try {
    text = new TextDecoder().decode(readFileSync(file));
  } catch (error) {
    throw fileError(error, file);
  }
  return Budget.fromJSON(text, `ledger ${file}`);
}

/** Tells the user what to do about a ledger that the system refuses to change. */
function refuse(error: unknown): never {
  if (!(error instanceof StandinError && error.code === "files/refused")) throw error;
  throw new StandinError(
    "ledger/refused",
    `The ledger cannot be changed: ${error.message}`,
    "It is unchanged. Free some space on its disk, or let this user write to its folder, and run again.",
  );
}
