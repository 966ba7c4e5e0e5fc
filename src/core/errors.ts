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
   */
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(hint ? `${message} ${hint}` : message);
  }
}
