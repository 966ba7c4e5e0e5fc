import type { AdamStep } from "../../src/core/kernels.js";

/** What Adam keeps of each parameter. */
export interface AdamState {
  readonly parameters: readonly number[];
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** The state after a step (Kingma and Ba, ICLR 2015, Algorithm 1). */
export function adam({ parameters, first, second }: AdamState, slope: readonly number[], given: AdamStep): AdamState {
  const { step, rate, beta1, beta2, epsilon } = given;
  const means = first.map((mean, at) => beta1 * mean + (1 - beta1) * slope[at]);
  const squares = second.map((square, at) => beta2 * square + (1 - beta2) * slope[at] ** 2);
  const moved = parameters.map((parameter, at) => {
    const mean = means[at] / (1 - beta1 ** step);
    return parameter - (rate * mean) / (Math.sqrt(squares[at] / (1 - beta2 ** step)) + epsilon);
  });
  return { parameters: moved, first: means, second: squares };
}
