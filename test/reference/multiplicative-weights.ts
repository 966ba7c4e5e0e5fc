import { below, word } from "./philox.js";
import { allowed, compared, type Density, errorOf, type Measured, scaled } from "./weights.js";

/** One update of MWEM: each weight by e^(error ÷ 2) of its cell. */
function update(density: Density, measured: Measured, repeats: number): void {
  for (let turn = 0; turn < repeats; turn++) {
    const steps = new Map(
      compared(density, measured).map(({ at, answer, target }) => [
        at,
        Math.exp((allowed(answer, target, measured.slack) - answer) / 2),
      ]),
    );
    scaled(density, measured.axes, (cell) => steps.get(cell) ?? 1);
  }
}

/** The last of what was measured, then, in random order, all before that were at least half as wrong. */
export function multiplyWeights(
  density: Density,
  measured: readonly Measured[],
  hasPast: boolean,
  repeats: number,
  seed: number,
  purpose: number,
): void {
  const index = measured.length - 1;
  const error = errorOf(density, measured[index]);
  const left = measured.slice(0, index).filter((past) => hasPast && errorOf(density, past) >= error / 2);
  update(density, measured[index], repeats);
  while (left.length) {
    const place = below(left.length, word(seed, purpose, 2 ** 31 + index, left.length - 1));
    const past = left[place];
    left[place] = left[left.length - 1];
    left.pop();
    update(density, past, repeats);
  }
}
