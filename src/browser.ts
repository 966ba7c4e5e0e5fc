// The entry for browsers and bundlers. The engine's bytes are inlined, so it also runs from disk and offline.
import bytes from "../dist/engine.wasm";
import { threadScript } from "../dist/shared/parts.js";
import { provideHost } from "./core/host.js";
import { provideThreads } from "./core/threads.js";
import { wasmHost } from "./engine/wasm-host.js";
import { webGpu } from "./gpu/webgpu.js";

const host = wasmHost(
  () => new WebAssembly.Module(bytes),
  webGpu(async () => navigator.gpu),
);
provideHost(host);

// From a blob, which content security policies can allow (`worker-src blob:`).
provideThreads((hear, fail) => {
  const url = URL.createObjectURL(new Blob([threadScript("self")]));
  const worker = new Worker(url);
  worker.postMessage({ engine: host.module() });
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

export { readCsv } from "./files/csv.js";
export * from "./index.js";
