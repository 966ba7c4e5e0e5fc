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

/**
 * Words for the rows that are drawn from relaxed ones in turn, such that the points of those from the same relaxed row
 * are spread evenly from 0 to 1, as are those of two columns over the square (Richtmyer's sequence: multiples of roots
 * of primes, modulo 1). Answers of so many rows are then closer to those of the relaxed ones than if they were random.
 * @param offsets a random word for each relaxed row
 */
export function spreadWords(count: number, offsets: Uint32Array, column: number): Uint32Array {
  const step = Math.floor((Math.sqrt(prime(column)) % 1) * 2 ** 32);
  const words = new Uint32Array(count);
  for (let row = 0; row < count; row++)
    words[row] = offsets[row % offsets.length] + Math.imul(step, Math.floor(row / offsets.length));
  return words;
}

/** The prime of this number, counted from 0 on. */
function prime(number: number): number {
  const found: number[] = [];
  for (let next = 2; found.length <= number; next++) if (found.every((one) => next % one)) found.push(next);
  return found[number];
}
