import { onTestFinished } from "vitest";
import { provideThreads, type StartThread } from "../src/core/threads.js";
import { serve } from "../src/worker.js";

/** Lets a test start its threads this way, and no others afterwards. */
export function withThreads(start: StartThread | undefined): void {
  provideThreads(start);
  onTestFinished(() => provideThreads(undefined));
}

/** Simulated threads, used like real ones: messages are copied, buffers change hands, and answers come later. */
export const pretended: StartThread = (hear) => {
  const { port1, port2 } = new MessageChannel();
  serve(port2 as never);
  port1.onmessage = ({ data }) => hear(data);
  return {
    post: (message, transfer) => port1.postMessage(message, [...transfer]),
    await() {},
    end: () => port1.close(),
  };
};
