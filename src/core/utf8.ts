/** A text in UTF-8. Halves of surrogate pairs become U+FFFD, as in the web's encoder, which not every host has. */
export function utf8(text: string): Uint8Array {
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
