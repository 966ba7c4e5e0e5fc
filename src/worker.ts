// The code of another thread: it receives a job, then answers one request after the other.
import type { Answer, Message } from "./core/threads.js";
import { type ReadingJob, readsPieces } from "./files/piece-reader.js";
import { type CountingJob, countsRows } from "./privacy/slice.js";

/** A thread's end of its connection to the thread that started it, in browsers and Node alike. */
interface Port {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

type Job = ReadingJob | CountingJob | undefined;

/** Serves job after job. An error ends the thread; the other thread does not ask for its cause. */
export function serve(port: Port): void {
  let answerTo: ((request: never) => Answer) | undefined;
  port.onmessage = ({ data }) => {
    const message = data as Message;
    if ("job" in message) {
      answerTo = begun(message.job as Job);
      port.postMessage(undefined, []);
    } else {
      const answer = answerTo!(message.request as never);
      port.postMessage(answer.message, [...answer.transfer]);
    }
  };
}

function begun(job: Job): ((request: never) => Answer) | undefined {
  return job && (job.kind === "reading" ? readsPieces(job) : countsRows(job));
}
