/**
 * Bytes as UTF-8 without a byte order mark. A mark decides; else the encoding that the schema names; else UTF-8, whose bytes pass
 * through as they are.
 * @param encoding a name that the runtime knows, as a schema's encoding is
 */
export async function* utf8From(
  source: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  const named = decoderOf(encoding ?? "utf-8");
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  let begun = false;
  for await (const chunk of withWholeMark(source)) {
    const start = begun ? { bytes: chunk, decoder } : begin(chunk, named);
    begun = true;
    decoder = start.decoder;
    yield decoder ? encoder.encode(decoder.decode(start.bytes, { stream: true })) : start.bytes;
  }
  if (decoder) yield encoder.encode(decoder.decode());
}

const LONGEST_MARK = 3;

/** The same bytes, the first piece long enough to hold any mark (where there are as many). */
async function* withWholeMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of source) {
    if (!head) yield chunk;
    else {
      head = joined(head, chunk);
      if (head.length < LONGEST_MARK) continue;
      yield head;
      head = undefined;
    }
  }
  if (head) yield head;
}

const decoderOf = (encoding: string) => new TextDecoder(encoding, { ignoreBOM: true });

/** Takes the mark off the first bytes and finds what decodes the rest; nothing where they are UTF-8. */
function begin(head: Uint8Array, named: TextDecoder): { bytes: Uint8Array; decoder: TextDecoder | undefined } {
  const marked = (...mark: number[]) => mark.every((byte, at) => head[at] === byte);
  if (marked(0xef, 0xbb, 0xbf)) return { bytes: head.subarray(3), decoder: undefined };
  if (marked(0xff, 0xfe)) return { bytes: head.subarray(2), decoder: decoderOf("utf-16le") };
  if (marked(0xfe, 0xff)) return { bytes: head.subarray(2), decoder: decoderOf("utf-16be") };
  return { bytes: head, decoder: named.encoding === "utf-8" ? undefined : named };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
