// The entry for edge runtimes (workerd), which compile the module at deployment and forbid it at run time.
import module from "./engine.wasm";
import { provideModule } from "./engine/wasm.js";

provideModule(() => module);

export * from "./index.js";
