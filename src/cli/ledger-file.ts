import { randomUUID } from "node:crypto";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { StandinError } from "../core/errors.js";
import { fileError } from "../files/path.js";
import { Budget, type BudgetState, type Plan } from "../node.js";
import { replaceFile } from "./output.js";

/** How long to wait for another run to charge the same ledger, which takes it milliseconds. */
const PATIENCE_MS = 10_000;
const POLL_MS = 25;

/**
 * Charges a plan to the ledger that several releases of the same people share. The file is replaced in one step, under a lock, so
 * that runs at the same time never overspend; the charge stays whatever becomes of the run.
 * @throws {StandinError} `ledger/…` where the file is absent, broken or locked; `budget/…` where it cannot pay for the plan
 */
export async function chargeLedger(path: string, plan: Plan): Promise<void> {
  const file = ledgerPath(path, plan);
  const unlock = await lock(`${file}.lock`);
  // No await from here to the unlocking: a signal of this process finds the ledger either before or after the charge, and unlocked.
  try {
    const { json, budget } = readLedger(file);
    budget.charge(plan.ledger);
    replaceFile(file, `${JSON.stringify({ ...json, ...budget.toJSON() }, null, 2)}\n`);
  } finally {
    unlock();
  }
}

/** Whether the ledger could pay for a plan, as things stand; nothing is charged. @throws {StandinError} as `chargeLedger` */
export function checkLedger(path: string, plan: Plan): void {
  readLedger(ledgerPath(path, plan)).budget.charge(plan.ledger);
}

function ledgerPath(path: string, { ledger }: Plan): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileError(error, path);
    const unit = ledger.unit === "row" ? "row" : { maxRows: ledger.unit.maxRows };
    const start: BudgetState = { epsilon: 3, delta: 1e-8, neighbours: ledger.neighbours, unit, spent: [] };
    throw new StandinError(
      "ledger/absent",
      `The ledger ${path} does not exist.`,
      `Its owner writes it once, with the total budget of these people, such as ${JSON.stringify(start)}`,
    );
  }
}

function readLedger(file: string): { json: BudgetState; budget: Budget } {
  let text: string;
  try {
    text = new TextDecoder().decode(readFileSync(file));
  } catch (error) {
    throw fileError(error, file);
  }
  try {
    const json: BudgetState | null = JSON.parse(text);
    if (typeof json !== "object" || json === null) throw new SyntaxError("no object");
    return { json, budget: new Budget(json) };
  } catch (error) {
    if (error instanceof StandinError) throw error;
    throw new StandinError("ledger/broken", `The ledger ${file} is not a JSON object.`, "Restore it from a copy.");
  }
}

/** Who holds a lock; the nonce tells two locks of one process apart. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly nonce: string;
}

/** Creates the lock file, waiting for another run's to go, or taking it away where its process is dead. */
async function lock(path: string): Promise<() => void> {
  const me: Holder = { pid: process.pid, host: hostname(), nonce: randomUUID() };
  for (let waited = 0; ; waited += POLL_MS) {
    if (create(path, me)) return () => rmSync(path);
    const holder = holderOf(path);
    if (holder && isDead(holder)) removeStale(path, holder, me);
    if (waited >= PATIENCE_MS)
      throw new StandinError(
        "ledger/locked",
        `The ledger is locked by ${holder ? `process ${holder.pid} on ${holder.host}` : "another run"}.`,
        `Remove ${path} if no run of standin uses it.`,
      );
    await sleep(POLL_MS);
  }
}

/**
 * Removes the lock of a dead process. Only one process at a time may remove this lock: the one that creates the claim named after
 * it, and it looks again under the claim, so that the next holder's lock is never taken for the dead one's.
 */
function removeStale(path: string, dead: Holder, me: Holder): void {
  const claim = `${path}.${dead.nonce}`;
  if (!create(claim, me)) return;
  try {
    if (holderOf(path)?.nonce === dead.nonce) rmSync(path);
  } finally {
    rmSync(claim);
  }
}

function create(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fileError(error, path);
  }
}

/** Who holds the lock; nobody where it is gone or just being written. */
function holderOf(path: string): Holder | undefined {
  try {
    const { pid, host, nonce } = JSON.parse(readFileSync(path, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 && /^[-\w]+$/.test(nonce) ? { pid, host, nonce } : undefined;
  } catch {
    return undefined;
  }
}

function isDead({ pid, host }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
