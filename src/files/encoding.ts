// Detects the encoding of a text when none is stated.
import { textOf } from "../core/utf8.js";
import { asUtf8, type Chunks, markedEncoding, preceded, recoded, startOf } from "./bytes.js";

/** The number of bytes at the start that tell whether a text is UTF-16. */
export const START = 4;
/** The number of bytes, from the first non-ASCII one on, that decide between all other encodings. */
export const SAMPLE = 65_536;

/**
 * Text of an unknown encoding as UTF-8. A byte order mark decides. Without one, zeros at every second place mean
 * UTF-16. Otherwise the bytes from the first non-ASCII one on decide between UTF-8 and, failing that, Windows-1252. How
 * the bytes are split into chunks makes no difference.
 * @param onEncoding receives the encoding's name once, if it is not UTF-8
 */
export async function* asSniffedUtf8(chunks: Chunks, onEncoding: (name: string) => void): Chunks {
  const start = await startOf(chunks, START);
  const all = preceded(start, chunks);
  const sure = markedEncoding(start) ?? unmarkedUtf16(start);
  if (sure !== undefined) {
    if (sure !== "utf-8") onEncoding(sure);
    yield* asUtf8(all, sure);
    return;
  }
  for await (const chunk of all) {
    const beyond = chunk.findIndex((byte) => byte > 0x7f);
    if (beyond < 0) yield chunk;
    else {
      yield chunk.subarray(0, beyond);
      const sample = await startOf(preceded(chunk.subarray(beyond), all), SAMPLE);
      const rest = preceded(sample, all);
      if (isUtf8(sample.subarray(0, SAMPLE))) yield* rest;
      else {
        onEncoding("windows-1252");
        yield* recoded(rest, new TextDecoder("windows-1252"));
      }
      return;
    }
  }
}

/** The encoding of a text in UTF-16 without a byte order mark, given its first bytes. */
export function unmarkedUtf16([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  return first === 0 && second && third === 0 && fourth ? "utf-16be" : undefined;
}

/**
 * Whether a sample, read as UTF-8, has at least as many valid non-ASCII characters as invalid bytes. The sample may end
 * inside a character, which then counts as invalid; a sample that is UTF-8 begins with a whole character, so it still
 * passes.
 */
export function isUtf8(sample: Uint8Array): boolean {
  const strange = textOf(sample).match(/[^\0-\x7f]/gu) ?? [];
  return 2 * strange.filter((character) => character === "\ufffd").length <= strange.length;
}
