import { type Column, isExempt, isListed, type Problem } from "./row-tests.js";

/** What a column may be: values from the first to the last, by their places; or a stored code without a number. */
export type Range = { readonly first: number; readonly last: number } | { readonly stored: number };

const ROUNDS = 32;

/** A search that counts what it tries. */
interface Search {
  readonly problem: Problem;
  readonly words: readonly number[];
  left: number;
}

/** Stored codes within ranges that satisfy all constraints, and how many tries are left. */
export function solved(
  problem: Problem,
  ranges: readonly Range[],
  words: readonly number[],
  tries: number,
): { found: number[] | undefined; left: number } {
  const search: Search = { problem, words, left: tries };
  const found = listed(search, ranges, problem.lists);
  return { found: found?.map((range, at) => only(problem.columns[at], range)!), left: search.left };
}

/** All numbers below `count`, in a circle from the one that a word picks; ends when no try is left. */
function* circle(search: Search, count: number, column: number): Generator<number> {
  const begin = Math.floor((search.words[column] * count) / 2 ** 32);
  for (let tried = 0; tried < count; tried++) {
    search.left--;
    if (search.left < 0) return;
    yield (begin + tried) % count;
  }
}

function only({ values }: Column, range: Range): number | undefined {
  if ("stored" in range) return range.stored;
  return range.first === range.last ? values[range.first].stored : undefined;
}

/** Chooses a combination of each list, then numbers. */
function listed(search: Search, ranges: readonly Range[], lists: Problem["lists"]): readonly Range[] | undefined {
  const { columns } = search.problem;
  const [list, ...others] = lists;
  if (!list) {
    const narrowed = narrow(search.problem, ranges);
    return narrowed && chosen(search, narrowed);
  }
  const codes = ranges.map((range, at) => only(columns[at], range) ?? Number.NaN);
  if (isExempt(columns, list, codes)) return listed(search, ranges, others);
  if (list.columns.every((place) => !Number.isNaN(codes[place])))
    return isListed(list, codes) ? listed(search, ranges, others) : undefined;
  for (const index of circle(search, list.combinations.length, list.columns[0])) {
    const taken = [...ranges];
    const fits = list.combinations[index].every((code, at) => {
      const place = list.columns[at];
      const range = ranges[place];
      if ("stored" in range) return range.stored === code;
      const value = columns[place].values.findIndex(({ stored }) => stored === code);
      taken[place] = { first: value, last: value };
      return value >= range.first && value <= range.last;
    });
    const found = fits && listed(search, taken, others);
    if (found) return found;
  }
  return undefined;
}

/** Chooses a value of each column that has several, those of the widest steps first. */
function chosen(search: Search, ranges: readonly Range[]): readonly Range[] | undefined {
  const { columns } = search.problem;
  const open = [...ranges.entries()].filter(([, range]) => "first" in range && range.first < range.last);
  if (!open.length) return ranges;
  const widest = Math.max(...open.map(([place]) => columns[place].step));
  const [place, range] = open.find(([at]) => columns[at].step === widest)!;
  if ("stored" in range) return undefined;
  for (const index of circle(search, range.last - range.first + 1, place)) {
    const value = range.first + index;
    const narrowed = narrow(search.problem, ranges.with(place, { first: value, last: value }));
    const found = narrowed && chosen(search, narrowed);
    if (found) return found;
  }
  return undefined;
}

/**
 * Ranges without ends that no values of the other columns are compatible with; `undefined` if one has no value left.
 */
function narrow({ columns, orders, sums }: Problem, given: readonly Range[]): readonly Range[] | undefined {
  const ranges = [...given];
  const numbersIn = (place: number) => {
    const range = ranges[place];
    if ("stored" in range) return undefined;
    return columns[place].values.slice(range.first, range.last + 1).map(({ number }) => number!);
  };
  const keep = (place: number, least: number, most: number) => {
    const range = ranges[place];
    if ("stored" in range) return;
    const kept = [...columns[place].values.keys()].filter((at) => {
      const number = columns[place].values[at].number!;
      return at >= range.first && at <= range.last && number >= least && number <= most;
    });
    ranges[place] = kept.length ? { first: kept[0], last: kept.at(-1)! } : { first: 1, last: 0 };
  };
  const isEmpty = () => ranges.some((range) => "first" in range && range.first > range.last);
  for (let round = 0; round < ROUNDS; round++) {
    const before = JSON.stringify(ranges);
    for (const [lower, upper] of orders) {
      const [below, above] = [numbersIn(lower), numbersIn(upper)];
      if (!below || !above) continue;
      keep(upper, below[0], Number.POSITIVE_INFINITY);
      if (isEmpty()) return undefined;
      keep(lower, Number.NEGATIVE_INFINITY, above.at(-1)!);
      if (isEmpty()) return undefined;
    }
    for (const [total, ...parts] of sums) {
      const numbers = parts.map(numbersIn);
      if (numbers.includes(undefined) || !numbersIn(total)) continue;
      const least = numbers.map((all) => all![0]);
      const most = numbers.map((all) => all!.at(-1)!);
      const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
      keep(total, sum(least), sum(most));
      if (isEmpty()) return undefined;
      const totals = numbersIn(total)!;
      for (const [at, part] of parts.entries()) {
        const others = (all: readonly number[]) => sum(all) - all[at];
        keep(part, totals[0] - others(most), totals.at(-1)! - others(least));
      }
      if (isEmpty()) return undefined;
    }
    if (JSON.stringify(ranges) === before) return ranges;
  }
  return ranges;
}
