import { SCORE_ABOVE, SCORE_BELOW, SCORE_L1, SCORE_MAX } from "../../src/engine/layout.js";

/** weight times max|c − t|, Σ|c − t|, max(c − t) or max(t − c), by kind, minus the bias; in big integers. */
export function scoreOf(counts: Int32Array, targets: Int32Array, kind: number, weight: bigint, bias: bigint): bigint {
  const gaps = Array.from(counts, (count, cell) => BigInt(count) - BigInt(targets[cell]));
  const below = gaps.map((gap) => -gap);
  const errors: Record<number, bigint> = {
    [SCORE_MAX]: largest([0n, ...gaps, ...below]),
    [SCORE_L1]: gaps.reduce((sum, gap) => sum + (gap < 0n ? -gap : gap), 0n),
    [SCORE_ABOVE]: largest(gaps),
    [SCORE_BELOW]: largest(below),
  };
  return weight * errors[kind] - bias;
}

function largest(numbers: readonly bigint[]): bigint {
  let most = numbers[0];
  for (const number of numbers) if (number > most) most = number;
  return most;
}
