// Gives the tests the engine that has just been built.
import bytes from "../dist/engine.wasm";
import { Instance, provideModule } from "../src/engine/wasm.js";

provideModule(() => new WebAssembly.Module(bytes));

/** A fresh instance of the engine. */
export const instance = (): Instance => new Instance();
