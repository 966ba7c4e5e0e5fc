// The end of a line, for hosts that look at a file's header alone.

/** The place after the first CR or LF from `from` on, or `to` if there is none before it. */
export function lineEnd(from: usize, to: usize): usize {
  for (; from < to; from++) {
    const byte = load<u8>(from);
    if (byte == 10 || byte == 13) return from + 1;
  }
  return to;
}
