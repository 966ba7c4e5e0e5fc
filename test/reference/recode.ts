/**
 * The text of bytes, by the platform's decoder. A byte order mark is text. Some versions of Node decode Windows-1252
 * correctly in a stream alone.
 */
export function decodedAs(encoding: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The encoding whose byte order mark a file starts with. */
export function marked(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 3), (byte) => byte.toString(16)).join(" ");
  if (hex === "ef bb bf") return "utf-8";
  return hex.startsWith("ff fe") ? "utf-16le" : hex.startsWith("fe ff") ? "utf-16be" : undefined;
}

/** How many bytes at the start are ASCII. */
export function asciiLength(bytes: Uint8Array): number {
  const beyond = bytes.findIndex((byte) => byte > 0x7f);
  return beyond < 0 ? bytes.length : beyond;
}
