// The code of another thread: it receives a job, then answers one request after the other.
import { provideHost } from "./core/host.js";
import type { Answer, Message } from "./core/threads.js";
import { wasmHost } from "./engine/wasm-host.js";
import { type ReadingJob, readsPieces } from "./files/piece-reader.js";
import { type CountingJob, countsRows } from "./privacy/slice.js";

/** A thread's end of its connection to the thread that started it, in browsers and Node alike. */
interface Port {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/** The first message, which has no answer: the engine, compiled by the thread that started this one. */
interface Engine {
  readonly engine: WebAssembly.Module;
}

type Job = ReadingJob | CountingJob | undefined;

/** Serves job after job. An error ends the thread; the other thread does not ask for its cause. */
export function serve(port: Port): void {
  let answerTo: ((request: never) => Answer) | undefined;
  port.onmessage = ({ data }) => {
    const message = data as Message | Engine;
    if ("engine" in message) provideHost(wasmHost(() => message.engine));
    else if ("job" in message) {
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
