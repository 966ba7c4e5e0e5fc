// UTF-8 without the runtime's encoders, which not every host of the core has.

/** Code points that are turned into a text at a time: arguments of one call. */
const AT_ONCE = 4096;

/** A text in UTF-8. Halves of surrogate pairs become U+FFFD, as in the web's encoder, which not every host has. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(3 * text.length);
  let end = 0;
  for (const character of text) {
    const whole = character.codePointAt(0)!;
    const code = whole >= 0xd800 && whole < 0xe000 ? 0xfffd : whole;
    if (code < 0x80) bytes[end++] = code;
    else {
      if (code < 0x800) bytes[end++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[end++] = 0xe0 | (code >> 12);
        else {
          bytes[end++] = 0xf0 | (code >> 18);
          bytes[end++] = 0x80 | ((code >> 12) & 0x3f);
        }
        bytes[end++] = 0x80 | ((code >> 6) & 0x3f);
      }
      bytes[end++] = 0x80 | (code & 0x3f);
    }
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
