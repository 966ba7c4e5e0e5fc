// The entry for browsers and bundlers: the engine's bytes are inlined, so that it also runs from disk and with the network off.
import bytes from "../dist/engine.wasm";
import { provideModule } from "./engine/wasm.js";

provideModule(() => new WebAssembly.Module(bytes));

export { readCsv } from "./files/csv.js";
export * from "./index.js";
