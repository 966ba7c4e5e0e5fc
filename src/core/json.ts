import { forUsers } from "./option-text.js";

/**
 * What to do about a text that is not JSON. The usual mistake is to pass the path of a file instead of its content.
 * @param commandLine what to do where the text is the content of a file that was named
 */
export function hintForText(text: string, commandLine: string): string {
  return /^\s*[[{]/.test(text)
    ? "Check commas, quotes and brackets."
    : forUsers("It is read as JSON text: if it is the path of a file, pass what the file contains.", commandLine);
}
