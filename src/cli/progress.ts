import type { OnProgress, Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import { redraw, say } from "./stderr.js";

/**
 * Reading is reported at these percentages, each of them once, whatever the size of the pieces: no line depends on how
 * many rows there are.
 */
const READ_STEPS = [25, 50, 75, 100];
/** The shortest time between two redraws of the line on a terminal. */
const REDRAW_MS = 100;

/**
 * Reports the progress of a run: on a terminal as one redrawn line, otherwise as a few plain lines, with `quiet` not at
 * all.
 */
export function progressLines(quiet: boolean): OnProgress {
  if (quiet) return () => {};
  return process.stderr.isTTY ? redrawnLine() : plainLines();
}

function redrawnLine(): OnProgress {
  let last = 0;
  let phase = "";
  return (progress) => {
    if (progress.phase === "engine") return say(describe(progress));
    const now = performance.now();
    if (progress.phase === phase && now - last < REDRAW_MS) return;
    phase = progress.phase;
    last = now;
    redraw(describe(progress));
  };
}

function describe(progress: Progress): string {
  switch (progress.phase) {
    case "read":
      return progress.percent === undefined
        ? "reading"
        : `reading ${READ_STEPS.findLast((step) => step <= progress.percent!) ?? 0} %`;
    case "measure":
      return `measuring ${thousands(progress.done)} of ${thousands(progress.of)}`;
    case "round":
      return progress.of === undefined
        ? `round ${thousands(progress.done + 1)}`
        : `round ${thousands(progress.done + 1)} of ${thousands(progress.of)}`;
    case "measured":
      return "measured";
    case "search":
      return `searching: ${progress.unit ?? "step"} ${thousands(progress.step)}, ${(100 * progress.loss).toPrecision(3)} % of the first loss`;
    case "engine":
      return `${progress.kernel}: on ${progress.engine === "webgpu" ? "the GPU" : "WASM"} (${progress.why})`;
    case "train":
      return `training ${progress.done + 1} of ${progress.of}`;
    case "write":
      return "writing";
  }
}

function plainLines(): OnProgress {
  const told = new Set<string>();
  const once = (line: string) => {
    if (!told.has(line)) say(line);
    told.add(line);
  };
  let nextStep = 16;
  return (progress) => {
    if (progress.phase === "read") {
      once("reading");
      for (const step of READ_STEPS) if (step <= (progress.percent ?? 0)) once(`reading ${step} %`);
    } else if (progress.phase === "measure") once("measuring");
    else if (progress.phase === "search") {
      once("searching");
      if (progress.step < nextStep) return;
      say(describe(progress));
      while (nextStep <= progress.step) nextStep *= 2;
    } else once(describe(progress));
  };
}
