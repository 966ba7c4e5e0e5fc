import { answers, type Density, type Measured } from "./weights.js";

/** So many variances are tried for each of two reasons, 0 first; each but the first is four times the one before. */
const SPREADS = [0, ...Array.from({ length: 9 }, (_, power) => 0.001 * 4 ** power)];
const EVIDENCE = 9;

/** What is most likely true, given what a density over public rows answers and noisy answers to the same. */
export function shrunkAnswers(
  density: Density,
  { axes, cell, targets }: Measured,
  rows: number,
  noise: number,
): number[] {
  const all = answers(density, axes);
  const expected = cell === undefined ? all : [all[cell]];
  const told = expected.flatMap((answer, at) => (answer > 0 ? [at] : []));
  const free = cell === undefined ? (expected.length - 1) / expected.length : 1;
  const surplus = cell === undefined ? (targets.reduce((a, b) => a + b, 0) - 1) / expected.length : 0;
  const models = SPREADS.flatMap((more) => SPREADS.map((relative) => ({ more, relative })));
  const judged = models.map((model) => {
    const once = 1 / rows + 1 / density.points.length;
    const variance = (answer: number) =>
      once * (1 + 1000 * model.more) * Math.max(answer, 0.5 / rows) + model.relative * answer ** 2;
    let deviance = EVIDENCE * (Math.sign(model.more) + Math.sign(model.relative));
    for (const at of told) {
      const both = noise + variance(expected[at]) * (1 - expected[at]);
      deviance += (targets[at] - surplus - expected[at]) ** 2 / both + free * Math.log(both / noise);
    }
    return { deviance, variance };
  });
  const { variance } = judged.reduce((best, other) => (other.deviance < best.deviance ? other : best));
  const part = (own: number) => own / (own + noise);
  if (cell !== undefined) {
    const [answer] = expected;
    return [answer + part(variance(answer) * (1 - answer)) * (targets[0] - answer)];
  }
  const parts = expected.map((answer) => (answer > 0 ? part(variance(answer)) : 0));
  const moves = expected.map((answer, at) => parts[at] * (targets[at] - answer));
  // Gaussian variables with these variances, given that they add up to nothing.
  const sum = moves.reduce((a, b) => a + b, 0);
  const weight = parts.reduce((a, b) => a + b, 0);
  return expected.map((answer, at) => answer + moves[at] - (parts[at] * sum) / weight);
}
