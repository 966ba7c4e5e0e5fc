/** The bytes of a short text in UTF-8, with U+FFFD for halves of surrogate pairs. Not every runtime has an encoder. */
export function utf8(text: string): number[] {
  return Array.from(text).flatMap((character) => {
    const point = character.codePointAt(0)!;
    if (point < 0x80) return [point];
    if (point < 0x800) return [0xc0 | (point >> 6), last(point)];
    if (point >> 11 === 0x1b) return [0xef, 0xbf, 0xbd];
    if (point < 0x10000) return [0xe0 | (point >> 12), last(point >> 6), last(point)];
    return [0xf0 | (point >> 18), last(point >> 12), last(point >> 6), last(point)];
  });
}

const last = (bits: number) => 0x80 | (bits & 0x3f);
