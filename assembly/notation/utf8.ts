// Text in UTF-8, read as the Encoding Standard's decoder reads it: every ill-formed sequence is one U+FFFD.

/** What an ill-formed sequence is read as. */
export const REPLACEMENT: u32 = 0xfffd;

/**
 * The character at the start of [at, to), at < to: its code point in the lower 32 bits, and in the upper ones the place
 * after it.
 */
export function characterAt(at: usize, to: usize): u64 {
  const lead = <u32>load<u8>(at++);
  if (lead < 0x80) return found(lead, at);
  // Only the second byte has bounds that depend on the first one: they rule out surrogates, overlong forms and code
  // points beyond U+10FFFF.
  const more = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
  if (!more) return found(REPLACEMENT, at);
  let least: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  let most: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  let character = lead & (0x3f >> more);
  for (let left = more; left; left--) {
    const next: u32 = at < to ? load<u8>(at) : 0;
    if (next < least || next > most) return found(REPLACEMENT, at);
    character = (character << 6) | (next & 0x3f);
    least = 0x80;
    most = 0xbf;
    at++;
  }
  return found(character, at);
}

// @ts-ignore: decorator
@inline
function found(character: u32, end: usize): u64 {
  return (<u64>end << 32) | <u64>character;
}

/**
 * Writes the text [from, to) to `out`, with U+FFFD for every ill-formed sequence. Returns the end, at most three times
 * the length away.
 */
export function decodedText(from: usize, to: usize, out: usize): usize {
  while (from < to) {
    if (from + 8 <= to && !(load<u64>(from) & 0x8080808080808080)) {
      store<u64>(out, load<u64>(from));
      from += 8;
      out += 8;
      continue;
    }
    const next = characterAt(from, to);
    const end = <usize>(next >> 32);
    if (<u32>next == REPLACEMENT) {
      store<u16>(out, 0xbfef);
      store<u8>(out, 0xbd, 2);
      out += 3;
    } else for (; from < end; from++) store<u8>(out++, load<u8>(from));
    from = end;
  }
  return out;
}

/** The start of a text without its leading blanks, which are those of JavaScript; `to` if it has nothing else. */
export function trimmedStart(from: usize, to: usize): usize {
  while (from < to) {
    const first = <u32>load<u8>(from);
    if (first < 0x80) {
      if (!isBlank(first)) break;
      from++;
    } else {
      const bytes = from + 2 <= to && load<u16>(from) == NO_BREAK_SPACE ? 2 : from + 3 <= to && isWide(from) ? 3 : 0;
      if (!bytes) break;
      from += bytes;
    }
  }
  return from;
}

/** The end of a text without its trailing blanks; `from` if it has nothing else. */
export function trimmedEnd(from: usize, to: usize): usize {
  while (to > from) {
    const last = <u32>load<u8>(to - 1);
    if (last < 0x80) {
      if (!isBlank(last)) break;
      to--;
    } else {
      const bytes =
        to - from >= 2 && load<u16>(to - 2) == NO_BREAK_SPACE ? 2 : to - from >= 3 && isWide(to - 3) ? 3 : 0;
      if (!bytes) break;
      to -= bytes;
    }
  }
  return to;
}

// U+00A0.
const NO_BREAK_SPACE: u32 = 0xa0c2;

// Tabs, line ends and the space.
// @ts-ignore: decorator
@inline
function isBlank(byte: u32): bool {
  return byte == 0x20 || byte - 9 < 5;
}

// Whether these three bytes are a blank: U+1680, U+2000 … U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 or U+FEFF.
function isWide(at: usize): bool {
  const bytes = ((<u32>load<u8>(at)) << 16) | ((<u32>load<u8>(at + 1)) << 8) | <u32>load<u8>(at + 2);
  if (bytes - 0xe28080 <= 0x0a) return true;
  switch (bytes) {
    case 0xe19a80:
    case 0xe280a8:
    case 0xe280a9:
    case 0xe280af:
    case 0xe2819f:
    case 0xe38080:
    case 0xefbbbf:
      return true;
  }
  return false;
}
