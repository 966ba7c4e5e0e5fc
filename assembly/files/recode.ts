// Text of other encodings as UTF-8, piece by piece, as the Encoding Standard's decoders read it.
import { alloc } from "../arena";
import { ENCODING_UTF_16BE, ENCODING_UTF_16LE, ENCODING_UTF_8, ENCODING_WINDOWS_1252 } from "../layout";
import { REPLACEMENT } from "../notation/utf8";

/** What is left of the last piece. */
@unmanaged
class Recoder {
  encoding: u32;
  /** The first byte of an incomplete unit, plus 256; 0 if there is none. */
  half: u32;
  /** A lead surrogate whose other half has not come; 0 if there is none. */
  lead: u32;
}

// What windows-1252 has from 0x80 to 0x9f; its other bytes are code points.
const WINDOWS_1252 = memory.data<u16>([
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
]);

/** Begins a text in an encoding other than UTF-8: ENCODING_…. Returns 0 where the memory does not suffice. */
export function recoderOpen(encoding: u32): usize {
  const pointer = alloc(offsetof<Recoder>());
  if (pointer) changetype<Recoder>(pointer).encoding = encoding;
  return pointer;
}

/**
 * Writes the next piece [from, to) of a text to `out` in UTF-8, with U+FFFD for half surrogate pairs.
 * @param isLast whether the text ends there
 * @param out has room for 3·(to − from) + 6 bytes
 * @returns the end of what was written
 */
export function recode(pointer: usize, from: usize, to: usize, isLast: bool, out: usize): usize {
  const recoder = changetype<Recoder>(pointer);
  if (recoder.encoding == ENCODING_WINDOWS_1252) return fromWindows1252(from, to, out);
  const big = recoder.encoding == ENCODING_UTF_16BE;
  if (recoder.half && from < to) {
    const unit = (recoder.half & 0xff) | ((<u32>load<u8>(from++)) << 8);
    recoder.half = 0;
    out = takeUnit(recoder, big ? bswap<u16>(<u16>unit) : <u16>unit, out);
  }
  // The bits that are 0 in four units of ASCII.
  const mask: u64 = big ? 0x80ff80ff80ff80ff : 0xff80ff80ff80ff80;
  while (from + 2 <= to) {
    if (from + 8 <= to && !recoder.lead && !(load<u64>(from) & mask)) {
      const units = load<u64>(from) >> (big ? 8 : 0);
      const pairs = (units | (units >> 8)) & 0xffff0000ffff;
      store<u32>(out, <u32>(pairs | (pairs >> 16)));
      from += 8;
      out += 4;
    } else {
      const unit = load<u16>(from);
      out = takeUnit(recoder, big ? bswap<u16>(unit) : unit, out);
      from += 2;
    }
  }
  if (from < to) recoder.half = <u32>load<u8>(from) | 0x100;
  if (!isLast || !(recoder.half | recoder.lead)) return out;
  recoder.half = 0;
  recoder.lead = 0;
  return writeCharacter(REPLACEMENT, out);
}

/** The encoding that a byte order mark at the start of a file states: ENCODING_…, or 0 if there is none. */
export function markedEncoding(from: usize, to: usize): u32 {
  if (to - from < 2) return 0;
  const first = <u32>load<u16>(from);
  if (first == 0xfeff) return ENCODING_UTF_16LE;
  if (first == 0xfffe) return ENCODING_UTF_16BE;
  return first == 0xbbef && to - from > 2 && load<u8>(from, 2) == 0xbf ? ENCODING_UTF_8 : 0;
}

/** The place of the first byte from `from` on that is not ASCII, or `to` if there is none before it. */
export function asciiEnd(from: usize, to: usize): usize {
  while (from + 8 <= to && !(load<u64>(from) & 0x8080808080808080)) from += 8;
  while (from < to && load<u8>(from) < 0x80) from++;
  return from;
}

function fromWindows1252(from: usize, to: usize, out: usize): usize {
  while (from < to) {
    const byte = <u32>load<u8>(from);
    if (byte < 0x80) {
      const plain = asciiEnd(from, to) - from;
      memory.copy(out, from, plain);
      from += plain;
      out += plain;
    } else {
      out = writeCharacter(byte < 0xa0 ? <u32>load<u16>(WINDOWS_1252 + ((byte & 0x1f) << 1)) : byte, out);
      from++;
    }
  }
  return out;
}

function takeUnit(recoder: Recoder, unit: u32, out: usize): usize {
  const lead = recoder.lead;
  const kind = unit & 0xfc00;
  recoder.lead = 0;
  if (lead) {
    if (kind == 0xdc00) return writeCharacter(0x10000 + ((lead & 0x3ff) << 10) + (unit & 0x3ff), out);
    out = writeCharacter(REPLACEMENT, out);
  }
  if (kind == 0xd800) {
    recoder.lead = unit;
    return out;
  }
  return writeCharacter(kind == 0xdc00 ? REPLACEMENT : unit, out);
}

/** Writes a code point. Returns its end. */
function writeCharacter(character: u32, out: usize): usize {
  if (character < 0x80) {
    store<u8>(out, character);
    return out + 1;
  }
  const last = 0x80 | (character & 0x3f);
  if (character < 0x800) {
    store<u16>(out, 0xc0 | (character >> 6) | (last << 8));
    return out + 2;
  }
  const middle = 0x80 | ((character >> 6) & 0x3f);
  if (character < 0x10000) {
    store<u16>(out, 0xe0 | (character >> 12) | (middle << 8));
    store<u8>(out, last, 2);
    return out + 3;
  }
  const second = 0x80 | ((character >> 12) & 0x3f);
  store<u32>(out, 0xf0 | (character >> 18) | (second << 8) | (middle << 16) | (last << 24));
  return out + 4;
}
