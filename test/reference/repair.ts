import { broken, numberOf, type Problem } from "./row-tests.js";
import { type Range, solved } from "./solver.js";

const TRIES = 64;
const MOST_DONORS = 65_536;
const LEAST_KINDS = 1024;
const MOST_COMPARISONS = 2 ** 22;

/**
 * Rows of stored codes, changed if they break a constraint.
 * @param codes the codes that queries see, one list per row
 * @param totals the sums in the order in which their totals are set
 * @param word a random word of a row and column
 * @param donorWord a random word of a row
 */
export function repaired(
  problem: Problem,
  rows: readonly (readonly number[])[],
  codes: readonly (readonly number[])[],
  totals: readonly number[],
  witness: readonly number[],
  word: (row: number, column: number) => number,
  donorWord: (row: number) => number,
): number[][] {
  const { columns, sums } = problem;
  const seen = codes.map((row) => [...row]);
  const made = rows.map((row) => [...row]);
  const isBroken = (row: number) => broken(problem, made[row]).includes(true);

  const derive = (row: number, inside: boolean) => {
    for (const [total, ...parts] of totals.map((at) => sums[at])) {
      const numbers = parts.map((part) => numberOf(columns[part], made[row][part]) ?? Number.NaN);
      const sum = numbers.reduce((one, other) => one + other);
      const { values, runs } = columns[total];
      const value = values.findIndex(({ number }) => number === sum);
      const run = runs[seen[row][total]];
      if (value < 0 || !run) continue;
      const stays = value >= run[0] && value <= run[1];
      if (inside && !stays) continue;
      made[row][total] = values[value].stored;
      if (!stays) seen[row][total] = values[value].code;
    }
  };
  const failed = new Set<string>();
  const redraw = (row: number) => {
    if (failed.has(`${seen[row]}`)) return false;
    const found = redrawn(row);
    if (!found) failed.add(`${seen[row]}`);
    return found;
  };
  const redrawn = (row: number) => {
    const ranges = columns.map(({ runs }, at): Range => {
      const run = runs[seen[row][at]];
      return run ? { first: run[0], last: run[1] } : { stored: made[row][at] };
    });
    const words = columns.map((_, at) => word(row, at));
    const { found } = solved(problem, ranges, words, TRIES);
    if (found) made[row] = found;
    return found !== undefined;
  };

  const hopeless = [...made.keys()].filter((row) => {
    if (!isBroken(row)) return false;
    derive(row, true);
    if (!isBroken(row) || redraw(row)) return false;
    derive(row, false);
    return isBroken(row);
  });
  const left = new Set(hopeless);
  const others = [...made.keys()].filter((row) => !left.has(row)).slice(0, MOST_DONORS);
  const group = (all: readonly number[]) => {
    const groups = new Map<string, number[]>();
    for (const row of all) groups.set(`${seen[row]}`, [...(groups.get(`${seen[row]}`) ?? []), row]);
    return [...groups.values()];
  };
  const kinds = group(hopeless);
  const donors = group(others).slice(
    0,
    Math.max(LEAST_KINDS, Math.floor(MOST_COMPARISONS / Math.max(1, kinds.length))),
  );
  for (const kind of kinds) {
    const here = seen[kind[0]];
    // A cell with a value and one without differ as much as all columns together.
    const compared = donors.map(([donor]) => {
      let distance = 0;
      for (const [at, code] of here.entries()) {
        const there = seen[donor][at];
        const alike = isMissing(problem, at, code) === isMissing(problem, at, there);
        if (code !== there) distance += alike ? 1 : columns.length;
      }
      return { distance, shared: here.findIndex((code, at) => code === seen[donor][at]) };
    });
    const least = compared.reduce((all, { distance }) => Math.min(all, distance), Number.POSITIVE_INFINITY);
    const near = [...donors.keys()].filter((at) => compared[at].distance === least);
    if (least < columns.length) near.sort((one, other) => compared[one].shared - compared[other].shared || one - other);
    const rowsNear = near.flatMap((at) => donors[at]);
    for (const row of kind) {
      const donor = rowsNear[Math.floor((donorWord(row) * rowsNear.length) / 2 ** 32)];
      made[row] = donor === undefined ? [...witness] : made[donor];
      if (donor === undefined) continue;
      seen[row] = seen[donor];
      redrawn(row);
    }
  }
  return made;
}

/** Whether a code that queries see stands for missing cells. */
function isMissing({ columns }: Problem, column: number, code: number): boolean {
  const { runs, values, missing } = columns[column];
  const run = runs[code];
  return !run || values[run[0]].stored === missing;
}
