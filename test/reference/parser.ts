/** The records of a text, read byte by byte according to the rules; texts have a character for each byte. */
export function records(text: string, delimiter: string, longest = Number.POSITIVE_INFINITY): string[][] {
  const found: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = !cells.length && (text[at] === "\n" || text[at] === "\r");
    if (!blank) {
      const parts: string[] = [];
      if (text[at] === '"') {
        for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++)
          parts.push(text[text[at] === '"' ? at++ : at]);
        at++;
      }
      for (; at < text.length && ![delimiter, "\n", "\r"].includes(text[at]); at++) parts.push(text[at]);
      cells.push(parts.join("").slice(0, longest));
    }
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) cells.push("");
      else continue;
    }
    found.push(cells);
    cells = [];
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  }
  return found;
}

/** The bytes that a text with a character for each byte stands for, and the other way round. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));
export const characters = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
