// What another thread runs: it is told its job first, then answers one call after the other.
import type { Answer } from "./core/threads.js";
import { type ReadingJob, readsPieces } from "./files/piece-reader.js";
import { type CountingJob, countsRows } from "./privacy/slice.js";

/** A thread's end of the line to the one that started it, in browsers and Node alike. */
interface Port {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/** Serves one job. What goes wrong ends the thread: the other one does not ask why. */
export function serve(port: Port): void {
  let answerTo: ((request: never) => Answer) | undefined;
  port.onmessage = ({ data }) => {
    if (!answerTo) {
      answerTo = begun(data as ReadingJob | CountingJob);
      port.postMessage(undefined, []);
      return;
    }
    const { message, transfer } = answerTo(data as never);
    port.postMessage(message, [...transfer]);
  };
}

function begun(job: ReadingJob | CountingJob): (request: never) => Answer {
  return job.kind === "reading" ? readsPieces(job) : countsRows(job);
}
