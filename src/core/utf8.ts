// UTF-8 without the runtime's encoders, which not every host of the core has.

/** Code points that are turned into a text at a time: arguments of one call. */
const AT_ONCE = 4096;

/** The bytes of a text, with U+FFFD for halves of surrogate pairs. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(3 * text.length);
  let end = 0;
  const more = (point: number, shift: number) => {
    bytes[end++] = 0x80 | ((point >> shift) & 0x3f);
  };
  for (let at = 0; at < text.length; at++) {
    let point = text.charCodeAt(at);
    if (point < 0x80) {
      bytes[end++] = point;
      continue;
    }
    if (point >> 11 === 0x1b) {
      point = text.codePointAt(at)!;
      if (point > 0xffff) at++;
      else point = 0xfffd;
    }
    if (point < 0x800) bytes[end++] = 0xc0 | (point >> 6);
    else {
      if (point < 0x10000) bytes[end++] = 0xe0 | (point >> 12);
      else {
        bytes[end++] = 0xf0 | (point >> 18);
        more(point, 12);
      }
      more(point, 6);
    }
    more(point, 0);
  }
  return bytes.slice(0, end);
}

/**
 * The text of bytes, as the Encoding Standard's decoder reads them: every ill-formed sequence is one U+FFFD. A byte
 * order mark is text.
 */
export function textOf(bytes: Uint8Array): string {
  const parts: string[] = [];
  let points: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++];
    // Only the second byte has bounds that depend on the first one: they rule out surrogates, overlong forms and code
    // points beyond U+10FFFF.
    const more = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
    let least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    let most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let point = more ? lead & (0x3f >> more) : lead < 0x80 ? lead : 0xfffd;
    for (let left = more; left > 0; left--) {
      if (!(bytes[at] >= least && bytes[at] <= most)) {
        point = 0xfffd;
        break;
      }
      point = (point << 6) | (bytes[at++] & 0x3f);
      [least, most] = [0x80, 0xbf];
    }
    points.push(point);
    if (points.length < AT_ONCE) continue;
    parts.push(String.fromCodePoint(...points));
    points = [];
  }
  parts.push(String.fromCodePoint(...points));
  return parts.join("");
}
