/** Whether the core can be built here. */
export function hasTools(): boolean;
/** Builds a core that runs a TypeScript file: the package's, if none is stated. */
export function buildCore(output: string, options?: { entry?: string; isForJvm?: boolean }): Promise<void>;
/** One letter for the result and one for each argument of the engine's exports, by name. */
export function engineTypes(): Record<string, string>;
