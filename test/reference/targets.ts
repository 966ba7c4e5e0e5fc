/** An answer as a fraction of the rows, from `least` to 1. */
const share = (answer: number, total: number, least: number) =>
  Math.max(least, Math.min(1, answer / Math.max(1, total)));

export const squaredShares = (answers: readonly number[], total: number, least: number): number =>
  answers.reduce((sum, answer) => sum + share(answer, total, least) ** 2, 0);

export const targetUnits = (
  answers: readonly number[],
  total: number,
  least: number,
  rows: number,
  shift: number,
): number[] => answers.map((answer) => Math.round(share(answer, total, least) * rows * 2 ** shift) + 0);
