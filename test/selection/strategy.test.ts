import { describe, expect, it } from "vitest";
import { bestStrategy, Components, leastError, type WeightedSet } from "../../src/selection/strategy.js";
import { reconstruction } from "./least-squares.js";

const subsetsOf = (columns: readonly number[]) =>
  columns.reduce<number[][]>((sets, column) => sets.concat(sets.map((set) => [...set, column])), [[]]);
const setsOf = (columns: number, size: number) =>
  subsetsOf([...new Array(columns).keys()]).filter(({ length }) => length === size);

type Parts = readonly { readonly columns: readonly number[]; readonly part: number }[];
interface Case {
  readonly sizes: readonly number[];
  readonly workload: readonly WeightedSet[];
}
const even = (sets: readonly (readonly number[])[]): WeightedSet[] => sets.map((columns) => ({ columns, weight: 1 }));
const componentsOf = ({ sizes, workload }: Case, isTotalKnown = false) =>
  new Components(
    workload.map(({ columns }) => columns),
    sizes,
    isTotalKnown,
  );

const CASES: Readonly<Record<string, Case>> = {
  "all pairs": { sizes: [2, 3, 4], workload: even(setsOf(3, 2)) },
  "binary pairs": { sizes: [2, 2, 2, 2], workload: even(setsOf(4, 2)) },
  "single columns": { sizes: [5, 2, 3], workload: even(setsOf(3, 1)) },
  "sets of several sizes, weighted": {
    sizes: [2, 3, 2, 3],
    workload: [
      { columns: [0, 1, 2], weight: 1 },
      { columns: [2, 3], weight: 5 },
      { columns: [3], weight: 0.25 },
    ],
  },
};

/** The weighted squared error if a cell of a marginal that has the whole budget has variance 1, with matrices. */
function errorOf({ sizes, workload }: Case, parts: Parts): number {
  const measured = parts.map(({ columns, part }) => ({ columns, sigma2: 1 / part }));
  const variances = measured.flatMap(({ columns, sigma2 }) =>
    new Array<number>(columns.reduce((product, column) => product * sizes[column], 1)).fill(sigma2),
  );
  return workload.reduce((sum, { columns, weight }) => {
    const cells = reconstruction(measured, columns, sizes);
    return sum + weight * cells.flat().reduce((own, by, at) => own + by * by * variances[at % variances.length], 0);
  }, 0);
}

/** The same by the components, for searches. */
function searchedError(asked: Case, components: Components, parts: Parts): number {
  const measured = parts.map(({ columns, part }) => ({ columns, sigma2: 1 / part }));
  const precisions = components.precisions(measured);
  return asked.workload.reduce(
    (sum, { columns, weight }) => sum + weight * components.cellsOf(columns) * components.variance(columns, precisions),
    0,
  );
}

/** The least error of any marginals: parts of the budget are moved from set to set as long as that lowers it. */
function leastByMoves(asked: Case, isTotalKnown: boolean): number {
  const components = componentsOf(asked, isTotalKnown);
  const sets = subsetsOf([...asked.sizes.keys()]);
  let parts = sets.map((columns) => ({ columns, part: 1 / sets.length }));
  let least = searchedError(asked, components, parts);
  for (let step = 0.5; step > 1e-5; ) {
    const before = least;
    for (const from of sets.keys())
      for (const to of sets.keys()) {
        const moved = parts[from].part * step;
        if (from === to) continue;
        const tried = parts.map((one, at) => ({
          ...one,
          part: Math.max(1e-12, one.part + (at === to ? moved : 0) - (at === from ? moved : 0)),
        }));
        const error = searchedError(asked, components, tried);
        if (error < least) [least, parts] = [error, tried];
      }
    if (before - least < 1e-5 * least) step /= 2;
  }
  return least;
}

describe.each(Object.entries(CASES))("%s", (_name, asked) => {
  it("has the error that matrices give it", () => {
    const parts = bestStrategy(asked.workload, componentsOf(asked));
    expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 12);
    const expected = searchedError(asked, componentsOf(asked), parts);
    expect(errorOf(asked, parts) / expected).toBeCloseTo(1, 6);
  });

  it.each([false, true])("is as good as any marginals (number of rows known: %s)", (isTotalKnown) => {
    const components = componentsOf(asked, isTotalKnown);
    const error = searchedError(asked, components, bestStrategy(asked.workload, components));
    const least = leastByMoves(asked, isTotalKnown);
    expect(error / least).toBeLessThan(1.002);
    expect(error / least).toBeGreaterThan(0.998);
    expect(leastError(asked.workload, components)).toBeLessThan(error * 1.0001);
  });

  it("has ResidualPlanner's optimum as its lower bound", () => {
    // In the paper's terms: the price of a residual's variance, and what it adds to that of each cell (Theorem 5).
    const { sizes, workload } = asked;
    const sums = new Map<string, { price: number; error: number }>();
    for (const { columns, weight } of workload)
      for (const part of subsetsOf(columns)) {
        const price = part.reduce((product, column) => product * ((sizes[column] - 1) / sizes[column]), 1);
        const others = columns.filter((column) => !part.includes(column));
        const cells = columns.reduce((product, column) => product * sizes[column], 1);
        const each = others.reduce((product, column) => product / sizes[column] ** 2, price);
        const known = sums.get(part.join()) ?? { price, error: 0 };
        sums.set(part.join(), { price, error: known.error + weight * cells * each });
      }
    const roots = [...sums.values()].reduce((sum, { price, error }) => sum + Math.sqrt(price * error), 0);
    expect(leastError(workload, componentsOf(asked))).toBeCloseTo(roots ** 2, 8);
  });
});

it("measures sets of three binary columns where that answers pairs more precisely", () => {
  const asked = { sizes: new Array<number>(6).fill(2), workload: even(setsOf(6, 2)) };
  const components = componentsOf(asked);
  const parts = bestStrategy(asked.workload, components);
  expect(parts.filter(({ columns }) => columns.length === 3)).toHaveLength(20);
  const pairs = setsOf(6, 2).map((columns) => ({ columns, part: 1 / 15 }));
  expect(searchedError(asked, components, parts) / searchedError(asked, components, pairs)).toBeLessThan(0.91);
});

it("keeps what it measures to sets of columns that the workload has together", () => {
  const workload = even([
    [0, 1],
    [1, 2],
    [0, 3],
  ]);
  const asked = { sizes: [2, 2, 2, 2], workload };
  expect(bestStrategy(workload, componentsOf(asked)).map(({ columns }) => columns.join())).toEqual([
    "0,1",
    "1,2",
    "0,3",
  ]);
});
