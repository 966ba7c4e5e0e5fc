import { SCORE_MAX } from "../../src/engine/layout.js";

/** weight · max|c − t| or, of the other kind, weight · Σ|c − t|, minus the bias; in big integers. */
export function scoreOf(counts: Int32Array, targets: Int32Array, kind: number, weight: bigint, bias: bigint): bigint {
  let [largest, sum] = [0n, 0n];
  for (const [cell, count] of counts.entries()) {
    const gap = BigInt(count) - BigInt(targets[cell]);
    const distance = gap < 0n ? -gap : gap;
    sum += distance;
    if (distance > largest) largest = distance;
  }
  return weight * (kind === SCORE_MAX ? largest : sum) - bias;
}
