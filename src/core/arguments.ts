import { StandinError } from "./errors.js";

/**
 * @param hint what to pass instead
 * @throws {StandinError} `options/argument`
 */
export function expectArgument(holds: boolean, expected: string, hint?: string): void {
  if (!holds) throw new StandinError("options/argument", `Expected ${expected}, but got something else.`, hint);
}

/** The most characters of a text that a message shows. */
const MOST_SHOWN = 80;

/** A text that was given, for messages: the beginning of one that is long. */
export const shownText = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** A value that was given where another belongs, for messages. It may be anything, so it is not asked for its text. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shownText(value));
  if (value !== null && (typeof value === "object" || typeof value === "function"))
    return Array.isArray(value) ? "a list" : `a${typeof value === "object" ? "n object" : " function"}`;
  return String(value);
}

/** A value that was given where a number belongs, for messages: 5 and "5" would look alike. */
export const shownNumber = (value: unknown): string =>
  `${typeof value === "string" ? "the string " : ""}${shownValue(value)}`;

/** Words in a sentence: one, or two, or three. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
