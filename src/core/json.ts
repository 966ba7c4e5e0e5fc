/** What to do about a text that is not JSON. The usual mistake is to pass the path of a file instead of its content. */
export function hintForText(text: string): string {
  return /^\s*[[{]/.test(text)
    ? "Check commas, quotes and brackets."
    : "It is read as JSON text: if it is the path of a file, pass what the file contains.";
}
