/** The places of a row's numbers in each block of lines. */
export const placesInBlocks = (blocks: readonly number[], rows: number): number[][] =>
  blocks
    .slice(1)
    .flatMap((end, block) =>
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: end - blocks[block] }, (_, at) => (blocks[block] + at) * rows + row),
      ),
    );

/** Replaces the numbers of each row in each block with what they become together; the others stay. */
export function inBlocks(
  numbers: ArrayLike<number>,
  blocks: readonly number[],
  rows: number,
  become: (numbers: readonly number[], places: readonly number[]) => readonly number[],
): number[] {
  const made = Array.from(numbers);
  for (const places of placesInBlocks(blocks, rows)) {
    const block = become(
      places.map((place) => numbers[place]),
      places,
    );
    for (const [at, place] of places.entries()) made[place] = block[at];
  }
  return made;
}

export const softmax = (x: ArrayLike<number>, blocks: readonly number[], rows: number): number[] =>
  inBlocks(x, blocks, rows, (numbers) => {
    const powers = numbers.map((number) => Math.exp(number - Math.max(...numbers)));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  });

/** The slopes at x, given p = softmax(x) and the slopes there; 0 outside the blocks. */
export const softmaxGradient = (
  p: ArrayLike<number>,
  slope: ArrayLike<number>,
  blocks: readonly number[],
  rows: number,
): number[] =>
  inBlocks(new Float64Array(p.length), blocks, rows, (_, places) => {
    const mean = places.reduce((sum, place) => sum + p[place] * slope[place], 0);
    return places.map((place) => p[place] * (slope[place] - mean));
  });
