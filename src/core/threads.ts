// Other threads, where the runtime has them. They start on first use, do one job after the other, and keep nothing of a
// job once it ends.
import { shownNumber } from "./arguments.js";
import { StandinError } from "./errors.js";

/** Another thread, as the runtime provides it. */
export interface Thread {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Sets whether an answer is awaited. Only then may the thread keep its process alive. */
  await(isAwaited: boolean): void;
  end(): void;
}

/**
 * Starts a thread that serves jobs (src/worker.ts). May throw.
 * @param hear receives the messages that it posts
 * @param fail is called if it ends on its own. The cause is not passed on, because it could reveal something about a
 *   row
 */
export type StartThread = (hear: (message: unknown) => void, fail: () => void) => Thread;

/** A message to a thread: a job to begin, replacing the previous one, or a request to answer within the job. */
export type Message = { readonly job: unknown } | { readonly request: unknown };

/** A thread's answer. */
export interface Answer {
  readonly message: unknown;
  readonly transfer: readonly ArrayBuffer[];
}

/** The largest number of threads that may be requested. */
const MOST_THREADS = 64;
/** A thread that has not started within this time never will. */
const START_MS = 4000;

let startThread: StartThread | undefined;
let wasSaid = false;
/** Workers without a job. The code that one has run is already compiled, so its next job starts at once. */
let idle: RemoteWorker[] = [];

/**
 * Sets how threads are started. The entry of a runtime that has threads calls this once. Nothing starts before its
 * first use.
 */
export function provideThreads(start: StartThread | undefined): void {
  startThread = start;
  wasSaid = false;
  idle = [];
}

/** Checks the number of threads that the user gave. @throws {StandinError} `options/threads` */
export function checkThreads(threads = 1): number {
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS))
    throw new StandinError(
      "options/threads",
      `threads is ${shownNumber(threads)}.`,
      `Use a whole number from 1 to ${MOST_THREADS}: at most as many as there are processor cores.`,
    );
  return threads;
}

/**
 * Workers in addition to this thread, `threads` in total. There may be fewer than requested, and any of them may fail
 * to start. In that case one warning says that this thread does all the work. The caller must release each worker.
 * @param job the first message to each
 */
export function startWorkers(threads: number, job: unknown): RemoteWorker[] {
  const workers: RemoteWorker[] = [];
  while (workers.length < threads - 1 && startThread) {
    const worker = idle.pop() ?? new RemoteWorker(startThread);
    worker.begin(job);
    workers.push(worker);
  }
  if (threads > 1 && !startThread) sayOnce();
  return workers;
}

function sayOnce(): void {
  if (!wasSaid) console.warn("standin: other threads cannot be started here; this one does all the work.");
  wasSaid = true;
}

interface PendingAnswer {
  resolve(message: unknown): void;
  reject(error: StandinError): void;
}

/** A thread that answers calls in the order they were made. */
export class RemoteWorker {
  /** Whether it has begun its job. Settles within seconds. */
  started: Promise<boolean> = Promise.resolve(false);
  readonly #waiting: PendingAnswer[] = [];
  #thread: Thread | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReady = false;

  constructor(start: StartThread) {
    try {
      this.#thread = start(
        (message) => this.#hear(message),
        () => this.#fail(),
      );
      this.#timer = setTimeout(() => this.#fail(), START_MS);
    } catch {
      noneStart();
    }
  }

  /** Gives it a job. */
  begin(job: unknown): void {
    this.started = this.#post({ job }).then(
      () => true,
      () => false,
    );
  }

  /** Whether it serves calls: it has started and has not failed. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How many calls are waiting for their answers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws {StandinError} `engine/thread` if the thread has failed, or fails before it answers */
  call(request: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    return this.#post({ request }, transfer);
  }

  /** Takes its job away. If it is still busy, its thread ends instead, and pending calls are never answered. */
  release(): void {
    if (this.#waiting.length) this.#end();
    else if (this.#thread) {
      this.begin(undefined);
      idle.push(this);
    }
  }

  #post(message: Message, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    const thread = this.#thread;
    if (!thread) return Promise.reject(lost());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      thread.await(true);
      thread.post(message, transfer);
    });
  }

  #hear(message: unknown): void {
    if (!this.#thread) return;
    clearTimeout(this.#timer);
    this.#isReady = true;
    const { resolve } = this.#waiting.shift()!;
    if (!this.#waiting.length) this.#thread.await(false);
    resolve(message);
  }

  #fail(): void {
    if (!this.#thread) return;
    if (!this.#isReady) noneStart();
    this.#end();
    for (const { reject } of this.#waiting.splice(0)) reject(lost());
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#thread?.end();
    this.#thread = undefined;
    this.#isReady = false;
    idle = idle.filter((worker) => worker !== this);
  }
}

/** If one thread does not start, none will. */
function noneStart(): void {
  sayOnce();
  startThread = undefined;
}

const lost = () =>
  new StandinError("engine/thread", "A thread ended before its work was done.", "Use one thread (threads: 1).");
