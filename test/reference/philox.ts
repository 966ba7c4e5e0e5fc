const WORD = 0xffffffffn;

/** Philox 4x32-10 as its paper defines it (Salmon et al., SC 2011, section 3.3), in plain big integers. */
export function philox(counter: readonly number[], key: readonly number[]): number[] {
  let [c0, c1, c2, c3] = counter.map(BigInt);
  let [k0, k1] = key.map(BigInt);
  for (let round = 0; round < 10; round++) {
    const p0 = 0xd2511f53n * c0;
    const p1 = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(p1 >> 32n) ^ c1 ^ k0, p1 & WORD, (p0 >> 32n) ^ c3 ^ k1, p0 & WORD];
    k0 = (k0 + 0x9e3779b9n) & WORD;
    k1 = (k1 + 0xbb67ae85n) & WORD;
  }
  return [c0, c1, c2, c3].map(Number);
}

/** The four words of one block of a stream. */
export function block(seed: number, purpose: number, id: number, index: number): number[] {
  return philox([index % 2 ** 32, Math.floor(index / 2 ** 32), purpose, id], [seed, 0]);
}

/** One word of a stream. */
export function word(seed: number, purpose: number, id: number, index: number): number {
  return block(seed, purpose, id, Math.floor(index / 4))[index % 4];
}

/** A word as an integer below `bound`. */
export function below(bound: number, random: number): number {
  return Number((BigInt(random) * BigInt(bound)) >> 32n);
}
