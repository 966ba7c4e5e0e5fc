/** Whether the core can be built here. */
export function hasTools(): boolean;
/** Builds a core that runs a TypeScript file. */
export function buildCore(entry?: string, output?: string): Promise<void>;
/** One letter for the result and one for each argument of the engine's exports, by name. */
export function engineTypes(): Record<string, string>;
