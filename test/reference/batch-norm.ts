const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** What batch normalisation makes of a line, and how it does. */
interface Normal {
  readonly mean: number;
  /** 1 / √(variance + epsilon). */
  readonly rate: number;
  /** (x − mean) · rate. */
  readonly normal: readonly number[];
}

/** The lines of x, each to mean 0 and variance 1. */
export const normalLines = (x: ArrayLike<number>, rows: number, epsilon: number): Normal[] =>
  Array.from({ length: x.length / rows }, (_, line) => {
    const numbers = Array.from({ length: rows }, (_, row) => x[line * rows + row]);
    const level = mean(numbers);
    const rate = 1 / Math.sqrt(mean(numbers.map((number) => (number - level) ** 2)) + epsilon);
    return { mean: level, rate, normal: numbers.map((number) => (number - level) * rate) };
  });

export const batchNorm = (
  x: ArrayLike<number>,
  rows: number,
  gain: ArrayLike<number>,
  bias: ArrayLike<number>,
  epsilon: number,
): number[] =>
  normalLines(x, rows, epsilon).flatMap(({ normal }, line) => normal.map((number) => number * gain[line] + bias[line]));

/** The slopes at x, at the gains and at the biases, given those at what `batchNorm` returned. */
export function batchNormGradient(
  x: ArrayLike<number>,
  rows: number,
  gain: ArrayLike<number>,
  epsilon: number,
  slope: ArrayLike<number>,
): { x: number[]; gain: number[]; bias: number[] } {
  const made = normalLines(x, rows, epsilon).map(({ rate, normal }, line) => {
    const own = normal.map((_, row) => slope[line * rows + row]);
    const along = mean(own.map((number, row) => number * normal[row]));
    const slopes = own.map((number, row) => gain[line] * rate * (number - mean(own) - normal[row] * along));
    return { x: slopes, gain: along * rows, bias: mean(own) * rows };
  });
  return {
    x: made.flatMap((line) => line.x),
    gain: made.map((line) => line.gain),
    bias: made.map((line) => line.bias),
  };
}
