/** An answer as a fraction of the rows, from −1 to 1. */
const share = (answer: number, total: number) => Math.max(-1, Math.min(1, answer / Math.max(1, total)));

export const squaredShares = (answers: readonly number[], total: number): number =>
  answers.reduce((sum, answer) => sum + share(answer, total) ** 2, 0);

export const targetUnits = (answers: readonly number[], total: number, rows: number, shift: number): number[] =>
  answers.map((answer) => Math.round(share(answer, total) * rows * 2 ** shift) + 0);

export const scaledCounts = (counts: readonly number[], scale: number): number[] =>
  counts.map((count) => Math.min(2 ** 30, Math.round(count * scale)));
