/** What a run tells while it works. Nothing here depends on a row but through noise. */
export type Progress =
  /** Bytes read so far, in per cent; absent total: `undefined`. */
  | { phase: "read"; percent: number | undefined }
  /** Items measured of those that the plan names. */
  | { phase: "measure"; done: number; of: number }
  /** Rounds done of all rounds, where the plan says how many there are. */
  | { phase: "round"; done: number; of: number | undefined }
  /** The measured part is complete (and, in the CLI, on disk). */
  | { phase: "measured" }
  /** The search: sweeps or generations done, and the loss against the *noisy* answers relative to the start's. */
  | { phase: "search"; step: number; loss: number; stop?: string }
  | { phase: "write"; percent: number | undefined };

/** Hears of a run's progress. It may be called many times a second. */
export type OnProgress = (progress: Progress) => void;

/** Lets timers, signals and the page breathe between two slices of work, then throws if the caller cancelled. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}

/** A job in steps, each of which tells how far it is. */
export type Steps<Result> = Generator<Progress, Result> | AsyncGenerator<Progress, Result>;

/** Who waits for a job: told of its progress, and able to cancel it. */
export interface Watcher {
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/**
 * Does a job step by step; after each the host may breathe.
 * @throws the signal's reason, where it is aborted
 */
export async function finished<Result>(steps: Steps<Result>, { onProgress, signal }: Watcher): Promise<Result> {
  signal?.throwIfAborted();
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    onProgress?.(step.value);
    await breathe(signal);
  }
}
