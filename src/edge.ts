// The entry for edge runtimes (workerd), which compile the module at deployment and forbid it at run time.

import { provideModule } from "./engine/wasm.js";
import module from "./engine.wasm";

provideModule(() => module);

export { nonPrivateCheck } from "./files/check.js";
export { readCsv } from "./files/csv.js";
export * from "./index.js";
export { nonPrivateProposal } from "./schema/propose.js";
