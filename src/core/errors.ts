/**
 * Every error that standin raises on purpose. The message says what was expected, what was found (in options, schema,
 * header or files; never in a record) and what to do.
 * @example
 * try {
 *   parseSchema({ fields: [] });
 * } catch (error) {
 *   if (!(error instanceof StandinError)) throw error;
 *   error.code; // → "schema/fields"
 *   error.message.endsWith(error.hint ?? ""); // → true
 * }
 */
export class StandinError extends Error {
  override readonly name = "StandinError";

  /**
   * @param code a code that programs may test, `<room>/<what>`, such as `schema/unknown-column` or `budget/exceeded`
   * @param hint one sentence: what to do about it
   * @param excerpt where an error has a place in a text: a line of that text, and a line that points at the place; they
   * are part of the message, as lines of their own
   */
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly excerpt?: string,
  ) {
    super([message, excerpt, hint].filter((part) => part).join(excerpt ? "\n" : " "));
  }
}
