import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StandinError } from "../core/errors.js";
import { fileError } from "../files/path.js";

/** How long to wait for another run to charge the same ledger, which takes it milliseconds. */
const PATIENCE_MS = 10_000;
const POLL_MS = 25;

/** A lock that names no holder and has not changed for this long was left by a run that could not write it. */
const GRACE_MS = 1_000;

/** Error codes of file systems without links. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EINVAL"];

/** The holder of a lock. The nonce distinguishes two locks of the same process. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly nonce: string;
  /** When the process began, if the system tells. The same process number with another beginning is another process. */
  readonly began?: string;
}

/** A file as it is found. Its mark is the nonce of its holder or, if it names none, its inode and time. */
interface Found {
  readonly mark: string;
  readonly holder: Holder | undefined;
}

/**
 * Takes a lock file. Waits for another run to release it, or removes it if its process is dead or it names no holder.
 * @returns a function that releases the lock
 * @throws {StandinError} `ledger/locked` after 10 s; `files/refused`
 */
export async function lock(path: string): Promise<() => void> {
  const me = { pid: process.pid, host: hostname(), nonce: randomUUID(), began: beginningOf(process.pid) };
  const seen = new Map<string, number>();
  for (let waited = 0; ; waited += POLL_MS) {
    if (create(path, me)) break;
    const found = look(path);
    if (found && isStale(found, seen)) removeStale(path, found, me, seen);
    if (waited >= PATIENCE_MS)
      throw new StandinError(
        "ledger/locked",
        `The ledger is locked by ${found?.holder ? `process ${found.holder.pid} on ${found.holder.host}` : "another run"}.`,
        `Remove ${path} if no run of standin is using it.`,
      );
    await sleep(POLL_MS);
  }
  sweep(path);
  return () => {
    if (look(path)?.mark === me.nonce) rmSync(path, { force: true });
  };
}

/**
 * Removes a stale lock. Only the holder of the claim named after it may do so, and it checks again under the claim, so
 * the next holder's lock is never taken for the stale one. A claim whose holder died is claimed in the same way. Names
 * are never reused, so at most one process acts for a lock, however many died before it.
 */
function removeStale(path: string, stale: Found, me: Holder, seen: Map<string, number>): void {
  const claims = [`${path}.${stale.mark}`];
  while (!create(claims[0], me)) {
    const found = look(claims[0]);
    if (!found || !isStale(found, seen)) return;
    claims.unshift(`${path}.${found.mark}`);
  }
  try {
    if (look(path)?.mark === stale.mark) rmSync(path);
  } finally {
    for (const claim of claims) rmSync(claim, { force: true });
  }
}

/** Removes what dead processes left next to the lock. Nobody needs it once the lock is taken. */
function sweep(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const holder = look(join(folder, name))?.holder ?? writerOf(name);
    if (holder && isDead(holder)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Where a holder writes its file before it is linked into place. The name says who writes it: a writer that is killed
 * at once leaves an empty file.
 */
const temporaryOf = (path: string, { pid, host, nonce }: Holder) =>
  `${path}.${nonce}.${pid}@${encodeURIComponent(host)}.tmp`;

/** The process of this machine that writes a temporary file, if its name is of one. */
function writerOf(name: string): Pick<Holder, "pid" | "host"> | undefined {
  const [, pid, host] = /\.(\d+)@(.*)\.tmp$/.exec(name) ?? [];
  return host === encodeURIComponent(hostname()) ? { pid: Number(pid), host: hostname() } : undefined;
}

/**
 * Creates a file that names its holder, in one step: nobody sees it empty, not even after a kill or on a full disk.
 * Only on file systems without links is it written in place.
 * @returns false if the file already exists
 */
function create(path: string, holder: Holder): boolean {
  const temporary = temporaryOf(path, holder);
  try {
    write(temporary, holder);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.includes(code)) throw fileError(error, path);
    return createInPlace(path, holder);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Another process may have removed the file as nobody's while it was being written. In that case it was not created.
 */
function createInPlace(path: string, holder: Holder): boolean {
  try {
    write(path, holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fileError(error, path);
  }
  return look(path)?.mark === holder.nonce;
}

/** Writes a new file, or leaves none. */
function write(path: string, holder: Holder): void {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") rmSync(path, { force: true });
    throw error;
  }
}

/** The file at a path, if there is one. */
function look(path: string): Found | undefined {
  try {
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    const holder = holderIn(readFileSync(path, "utf8"));
    return { mark: holder?.nonce ?? `${ino}-${mtimeNs}`, holder };
  } catch {
    return undefined;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, host, nonce, began } = JSON.parse(text);
    return Number.isSafeInteger(pid) && pid > 0 && /^[-\w]+$/.test(nonce) ? { pid, host, nonce, began } : undefined;
  } catch {
    return undefined;
  }
}

/** @param seen when this process first saw each file without a holder */
function isStale({ mark, holder }: Found, seen: Map<string, number>): boolean {
  if (holder) return isDead(holder);
  const now = performance.now();
  const first = seen.get(mark) ?? now;
  seen.set(mark, first);
  return now - first >= GRACE_MS;
}

function isDead({ pid, host, began }: Omit<Holder, "nonce">): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const now = beginningOf(pid);
  return began !== undefined && now !== undefined && began !== now;
}

/** The system's boot and the process's start time since then, as Linux reports them (proc(5)). */
function beginningOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may contain blanks and brackets; the 22nd field is the 20th after it.
    return `${boot} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return undefined;
  }
}
