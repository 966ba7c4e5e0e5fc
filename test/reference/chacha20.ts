/** One block of ChaCha20 (RFC 8439, section 2.3) as sixteen words, word by word as in the text. */
export function chachaBlock(key: Uint8Array, counter: number, nonce: readonly [number, number, number]): number[] {
  const words = new DataView(key.buffer, key.byteOffset, 32);
  const keyWords = Array.from({ length: 8 }, (_, i) => words.getUint32(4 * i, true));
  const initial = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...keyWords, counter, ...nonce];
  const state = [...initial];
  for (let round = 0; round < 10; round++) {
    for (const [a, b, c, d] of QUARTER_ROUNDS) {
      addAndTurn(state, a, b, d, 16);
      addAndTurn(state, c, d, b, 12);
      addAndTurn(state, a, b, d, 8);
      addAndTurn(state, c, d, b, 7);
    }
  }
  return state.map((word, i) => (word + initial[i]) >>> 0);
}

const QUARTER_ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

function addAndTurn(state: number[], sum: number, term: number, turned: number, bits: number): void {
  state[sum] = (state[sum] + state[term]) >>> 0;
  const mixed = state[turned] ^ state[sum];
  state[turned] = ((mixed << bits) | (mixed >>> (32 - bits))) >>> 0;
}
