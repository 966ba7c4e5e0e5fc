// The entry for edge runtimes (workerd), which compile the module at deployment and forbid compiling at run time. Do
// not let a recipient trigger and time a release there: its duration reveals the size of the table.

import { provideHost } from "./core/host.js";
import { wasmHost } from "./engine/wasm-host.js";
import module from "./engine.wasm";

provideHost(wasmHost(() => module));

export { readCsv } from "./files/csv.js";
export * from "./index.js";
