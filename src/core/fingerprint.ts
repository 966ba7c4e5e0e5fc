const FNV_PRIME = 0x01000193;

/**
 * A fingerprint of numbers: 64 bits, as 16 hexadecimal digits. It tells whether two public tables are the same as long
 * as nobody wants to deceive; it is not a cryptographic hash, and nothing private may be fingerprinted.
 * Two lanes of FNV-1a (Fowler, Noll and Vo) over 16-bit words.
 */
export function fingerprint(columns: readonly Uint16Array[]): string {
  let [first, second] = [0x811c9dc5, 0x9747b28c];
  const add = (word: number) => {
    first = Math.imul(first ^ word, FNV_PRIME);
    // A lane that is rotated mixes high bits into low ones, which multiplication alone never does.
    second = Math.imul(((second << 13) | (second >>> 19)) ^ word, FNV_PRIME);
  };
  for (const column of columns) {
    add(column.length & 0xffff);
    for (const code of column) add(code);
  }
  return [first, second].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
