/**
 * Waits for the next task, after everything that already waits: timers, signals, messages of other threads, a page's
 * drawing. A timer would take 1 ms in Node, and 4 ms in browsers.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else if (typeof MessageChannel === "function") post(resolve);
    else setTimeout(resolve, 0);
  });
}

function post(job: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    job();
  };
  port2.postMessage(undefined);
}
