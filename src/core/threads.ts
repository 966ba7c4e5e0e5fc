// Other threads, where the runtime has them. They start on first use, do one job after the other, and let go of all of
// a job at its end.
import { StandinError } from "./errors.js";

/** One more thread, as a runtime gives it. */
export interface Thread {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Says whether an answer is awaited: only then may the thread keep its process alive. */
  await(isAwaited: boolean): void;
  end(): void;
}

/**
 * Starts a thread that serves jobs (src/worker.ts). May throw.
 * @param hear gets what it posts
 * @param fail is called where it ends of itself; what it died of stays unsaid, since it could tell about a row
 */
export type StartThread = (hear: (message: unknown) => void, fail: () => void) => Thread;

/** What a thread gets: a job to begin, in the place of the one before, or something to answer within it. */
export type Message = { readonly job: unknown } | { readonly request: unknown };

/** What a thread answers. */
export interface Answer {
  readonly message: unknown;
  readonly transfer: readonly ArrayBuffer[];
}

/** The most threads that may be asked for. */
const MOST_THREADS = 64;
/** A thread that has not started by then never will. */
const START_MS = 4000;

let startThread: StartThread | undefined;
let wasSaid = false;
/** Workers without a job: what one of them has run is compiled, so that the next job starts at once. */
let idle: RemoteWorker[] = [];

/**
 * Tells how threads are started; the entry of a runtime that has some does this once. Nothing starts before its first
 * use.
 */
export function provideThreads(start: StartThread | undefined): void {
  startThread = start;
  wasSaid = false;
  idle = [];
}

/** A number of threads as the user gave it. @throws {StandinError} `options/threads` */
export function checkThreads(threads = 1): number {
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS))
    throw new StandinError(
      "options/threads",
      `threads is ${threads}.`,
      `Use a whole number from 1 to ${MOST_THREADS}: at most as many as there are processor cores.`,
    );
  return threads;
}

/**
 * Workers beside this thread, `threads` in all. There may be fewer than asked for, and any may turn out not to start:
 * then it is said once that this thread does the work. Each is to be released.
 * @param job what each is told first
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

/** Lets other threads be heard, without a timer's delay. */
export function hearThreads(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

function sayOnce(): void {
  if (!wasSaid) console.warn("standin: other threads cannot be started here; this one does all the work.");
  wasSaid = true;
}

interface PendingAnswer {
  resolve(message: unknown): void;
  reject(error: StandinError): void;
}

/** A thread that answers calls in their order. */
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

  /** Whether calls are served: it has started and has not failed. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How many calls wait for their answers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws {StandinError} `engine/thread` where the thread has failed, or fails before it answers */
  call(request: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    return this.#post({ request }, transfer);
  }

  /** Takes its job away. Where it is still busy its thread ends instead, and calls that wait are answered no more. */
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

/** Where one thread does not start none will. */
function noneStart(): void {
  sayOnce();
  startThread = undefined;
}

const lost = () =>
  new StandinError("engine/thread", "A thread ended before its work was done.", "Use one thread (threads: 1).");
