/** The text of bytes, by the platform's decoder. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Where a text begins and ends without the blanks around it, in bytes. */
export function trimmed(bytes: Uint8Array): { start: number; end: number } {
  const blanks = (text: string) => new TextEncoder().encode(text).length;
  const text = decoded(bytes);
  const [before] = /^\s*/.exec(text)!;
  const after = text.slice(text.trimEnd().length);
  return { start: blanks(before), end: bytes.length - blanks(after) };
}
