/** A text as a cell of a file. */
export function cell(text: string, delimiter: string, alone: boolean): string {
  const needsQuotes =
    ['"', "\n", "\r", delimiter].some((mark) => text.includes(mark)) ||
    text.startsWith("\uFEFF") ||
    (text === "" && alone);
  return needsQuotes ? `"${text.split('"').join('""')}"` : text;
}
