import { chachaBlock } from "./chacha20.js";
import { expOfMinus } from "./exp-table.js";

/** The words of one stream of the generator, and the draws made from them, in BigInt and one word at a time. */
export class Stream {
  private words: number[] = [];
  private block = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly purpose: number,
    private readonly item: number,
  ) {}

  word(): bigint {
    if (!this.words.length) this.words = chachaBlock(this.key, this.block++, [this.purpose, this.item, 0]);
    return BigInt(this.words.shift() as number);
  }

  /** Uniform in [0, bound): uses the first word in sequence whose product with bound is not among the surplus. */
  below(bound: bigint): bigint {
    const surplus = 2n ** 32n % bound;
    for (;;) {
      const product = this.word() * bound;
      if (product % 2n ** 32n >= surplus) return product / 2n ** 32n;
    }
  }

  /** U < e^−level, with the first digit of U given. */
  isBelowExp(first: bigint, level: number): boolean {
    for (let digit = 0, drawn = first; digit < 6; digit++, drawn = this.word()) {
      const stated = (EXP_DIGITS[level] >> BigInt(160 - 32 * digit)) % 2n ** 32n;
      if (drawn !== stated) return drawn < stated;
    }
    throw new Error("undecided");
  }

  /** Bernoulli(e^−exponent). */
  bernoulliExp(exponent: bigint): boolean {
    if (exponent === 0n) return true;
    if (exponent <= 16n) return this.isBelowExp(this.word(), Number(exponent));
    return this.isBelowExp(this.word(), 16) && this.bernoulliExp(exponent - 16n);
  }

  /** The largest v with U < e^−v. */
  geometric(): bigint {
    const first = this.word();
    for (let level = 1; level <= 16; level++) if (!this.isBelowExp(first, level)) return BigInt(level - 1);
    return 16n + this.geometric();
  }

  /** Bernoulli(exp(−n/(p·2^e))), n < p·2^e. */
  bernoulliExpFraction(n: bigint, p: bigint, e: bigint): boolean {
    if (n === 0n) return true;
    for (let k = 1n; ; k++) {
      let drawn = this.below(p * k) << e;
      if (drawn >> e === n >> e) drawn += (this.word() << e) >> 32n;
      if (drawn >= n) return k % 2n === 1n;
    }
  }
}

const EXP_DIGITS = Array.from({ length: 17 }, (_, level) => expOfMinus(BigInt(level), 1n, 192n));
