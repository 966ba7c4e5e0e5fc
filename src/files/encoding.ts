// The encoding of a text that nobody has named.
import { asUtf8, type Chunks, markedEncoding, preceded, recoded, startOf } from "./bytes.js";

/** Bytes from the first one beyond ASCII on that tell an encoding. */
const SAMPLE = 65_536;

/**
 * Text of an unknown encoding as UTF-8: a mark decides; else zeros at every second place tell UTF-16; else the bytes
 * from the first one beyond ASCII on tell whether it is UTF-8 or, failing that, Windows-1252. How the bytes come in
 * chunks makes no difference.
 * @param onEncoding hears the encoding's name once, should it be another one than UTF-8
 */
export async function* asSniffedUtf8(chunks: Chunks, onEncoding: (name: string) => void): Chunks {
  const start = await startOf(chunks, 4);
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

function unmarkedUtf16([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  return first === 0 && second && third === 0 && fourth ? "utf-16be" : undefined;
}

/**
 * Whether a sample read as UTF-8 makes at least as many characters beyond ASCII as it holds bytes that are none. It may
 * end inside a character, which is one of the latter: it begins with a whole one then, if it is UTF-8.
 */
function isUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sample);
  const strange = text.match(/[^\0-\x7f]/gu) ?? [];
  return 2 * strange.filter((character) => character === "\ufffd").length <= strange.length;
}
