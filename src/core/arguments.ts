import { StandinError } from "./errors.js";

/**
 * @param hint what to pass instead
 * @throws {StandinError} `options/argument`
 */
export function expectArgument(holds: boolean, expected: string, hint?: string): void {
  if (!holds) throw new StandinError("options/argument", `Expected ${expected}, but got something else.`, hint);
}

/** A value that was given where a number belongs, for messages: 5 and "5" would look alike. */
export const shownNumber = (value: unknown): string =>
  typeof value === "string" ? `the string ${JSON.stringify(value)}` : String(value);

/** Words in a sentence: one, or two, or three. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
