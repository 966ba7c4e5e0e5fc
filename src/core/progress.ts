import type { EngineUse } from "./engines.js";
import { host } from "./host.js";

/** Progress reports of a run. Nothing here depends on a row except through noise. */
export type Progress =
  /** Bytes read so far, in per cent; `undefined` where the total is unknown. */
  | { phase: "read"; percent: number | undefined }
  /** Items measured so far, out of those that the plan names. */
  | { phase: "measure"; done: number; of: number }
  /** Rounds done out of all rounds, where the plan says how many there are. */
  | { phase: "round"; done: number; of: number | undefined }
  /** The measured part is complete (and, in the CLI, on disk). */
  | { phase: "measured" }
  /**
   * The search or the fit: sweeps, generations or other steps done, and the loss against the *noisy* answers, relative
   * to the loss at the start.
   */
  | { phase: "search"; step: number; unit?: "sweep" | "generation"; loss: number; stop?: string }
  /** Which engine does some of the heavy work, and why. Not told where the work is simply too little for a GPU. */
  | ({ phase: "engine" } & EngineUse)
  /** Classifiers trained so far, out of all. */
  | { phase: "train"; done: number; of: number }
  | { phase: "write"; percent: number | undefined };

/** Receives a run's progress. It may be called many times a second. */
export type OnProgress = (progress: Progress) => void;

/** How a caller cancels: an `AbortSignal`, where the runtime has them. */
export interface Signal {
  /** @throws the reason, if the caller has cancelled */
  throwIfAborted(): void;
}

/** Gives the host its turn between two slices of work. Then throws if the caller has cancelled. */
export async function breathe(signal?: Signal): Promise<void> {
  await host().breathe();
  signal?.throwIfAborted();
}

/** A job in steps, each of which reports its progress. */
export type Steps<Result> = Generator<Progress, Result> | AsyncGenerator<Progress, Result>;

/** The caller that waits for a job: it receives progress and can cancel. */
export interface Watcher {
  readonly onProgress?: OnProgress;
  readonly signal?: Signal;
}

/**
 * Runs a job step by step. After each step the host can yield to its event loop. A job that does not get to its end is
 * made to give up what it holds.
 * @throws the signal's reason, if it is aborted
 */
export async function finished<Result>(steps: Steps<Result>, { onProgress, signal }: Watcher): Promise<Result> {
  signal?.throwIfAborted();
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done) return step.value;
      onProgress?.(step.value);
      await breathe(signal);
    }
  } finally {
    await steps.return(undefined as Result);
  }
}
