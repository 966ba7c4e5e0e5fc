// The entry for browsers and bundlers: the engine's bytes are inlined, so that it also runs from disk and with the network off.
import bytes from "../dist/engine.wasm";
import { provideThreads } from "./core/threads.js";
import { provideModule } from "./engine/wasm.js";

/** The function that the build puts around this entry and all that it imports; called, it gives their exports. */
declare const bundle: () => object;

provideModule(() => new WebAssembly.Module(bytes));

// A thread runs what the page runs: the text of the entry itself, from a blob, which content policies can allow (`worker-src blob:`).
provideThreads((hear, fail) => {
  const url = URL.createObjectURL(new Blob([`(${bundle})().serve(self)`]));
  const worker = new Worker(url);
  worker.onmessage = ({ data }) => {
    URL.revokeObjectURL(url);
    hear(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    await() {},
    end() {
      URL.revokeObjectURL(url);
      worker.terminate();
    },
  };
});

export { nonPrivateCheck } from "./files/check.js";
export { readCsv } from "./files/csv.js";
export * from "./index.js";
export { nonPrivateProposal } from "./schema/propose.js";
