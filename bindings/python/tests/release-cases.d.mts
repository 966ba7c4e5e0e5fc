/** See release-cases.mjs. */
export function changed(json: object, steps: readonly (readonly unknown[])[]): object;
