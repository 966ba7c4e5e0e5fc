// Rows drawn from relaxed rows.

/** Makes of each share in `size` lines the sum of those up to it. @param relaxed the number of relaxed rows */
export function addUp(shares: Float32Array, start: number, size: number, relaxed: number): void {
  for (let at = (start + 1) * relaxed; at < (start + size) * relaxed; at++) shares[at] += shares[at - relaxed];
}

/**
 * Codes of one column, each drawn by the shares of the next relaxed row.
 * @param sums for each line, every relaxed row's sum of shares up to it
 * @param words a random word for each code
 */
export function drawnCodes(
  sums: Float32Array,
  start: number,
  size: number,
  relaxed: number,
  words: Uint32Array,
): Uint16Array {
  const codes = new Uint16Array(words.length);
  for (let row = 0; row < words.length; row++) {
    const from = start * relaxed + (row % relaxed);
    // Rounded sums may end beside 1.
    const point = (words[row] / 2 ** 32) * sums[from + (size - 1) * relaxed];
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[from + middle * relaxed] > point) high = middle;
      else low = middle + 1;
    }
    codes[row] = low;
  }
  return codes;
}
