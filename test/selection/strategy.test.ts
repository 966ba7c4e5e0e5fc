import { describe, expect, it } from "vitest";
import { Components } from "../../src/estimate/components.js";
import { bestParts, type Candidate, leastError, type WeightedSet } from "../../src/selection/strategy.js";
import { reconstruction } from "./least-squares.js";

const subsetsOf = (columns: readonly number[]) =>
  columns.reduce<number[][]>((sets, column) => sets.concat(sets.map((set) => [...set, column])), [[]]);
const setsOf = (columns: number, size: number) =>
  subsetsOf([...new Array(columns).keys()]).filter(({ length }) => length === size);

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

const product = (numbers: readonly number[]) => numbers.reduce((product, number) => product * number, 1);
/** What a row adds to the cells of a table, less their means along some axes, is that much less. */
const costOf = (centred: readonly number[], sizes: readonly number[]) =>
  product(centred.map((column) => 1 - 1 / sizes[column]));

function candidatesOf({ sizes, workload }: Case, centredOf: (columns: readonly number[]) => readonly number[]) {
  const sets = new Map(workload.flatMap(({ columns }) => subsetsOf(columns)).map((set) => [set.join(), set]));
  return [...sets.values()].map((columns): Candidate => {
    const centred = centredOf(columns);
    return { columns, centred, cost: costOf(centred, sizes) };
  });
}

/** The weighted squared error if a cell of a marginal that has the whole budget has variance 1, with matrices. */
function errorOf({ sizes, workload }: Case, candidates: readonly Candidate[], parts: readonly number[]): number {
  const measured = candidates.map((of, at) => ({ ...of, sigma2: of.cost / Math.max(1e-12, parts[at]) }));
  const variances = measured.flatMap(({ columns, sigma2 }) =>
    new Array<number>(product(columns.map((column) => sizes[column]))).fill(sigma2),
  );
  return workload.reduce((sum, { columns, weight }) => {
    const cells = reconstruction(measured, columns, sizes);
    return sum + weight * cells.flat().reduce((own, by, at) => own + by * by * variances[at % variances.length], 0);
  }, 0);
}

/** ResidualPlanner's optimum, in the paper's terms: what a residual's variance costs, and adds to cells (Theorem 5). */
function leastOf({ sizes, workload }: Case): number {
  const sums = new Map<string, { price: number; error: number }>();
  for (const { columns, weight } of workload)
    for (const part of subsetsOf(columns)) {
      const price = costOf(part, sizes);
      const others = columns.filter((column) => !part.includes(column));
      const cells = product(columns.map((column) => sizes[column]));
      const each = price * product(others.map((column) => sizes[column] ** -2));
      const known = sums.get(part.join()) ?? { price, error: 0 };
      sums.set(part.join(), { price, error: known.error + weight * cells * each });
    }
  return [...sums.values()].reduce((sum, { price, error }) => sum + Math.sqrt(price * error), 0) ** 2;
}

describe.each(Object.entries(CASES))("%s", (_name, asked) => {
  it("reaches ResidualPlanner's optimum with interactions, by matrices", () => {
    const candidates = candidatesOf(asked, (columns) => columns);
    const parts = bestParts(candidates, asked.workload, componentsOf(asked));
    expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(1, 12);
    expect(errorOf(asked, candidates, parts) / leastOf(asked)).toBeCloseTo(1, 5);
    expect(leastError(asked.workload, componentsOf(asked))).toBeCloseTo(leastOf(asked), 8);
  });

  it("is as good as any parts where tables are centred along one axis", () => {
    const candidates = candidatesOf(asked, (columns) => columns.slice(0, 1));
    const components = componentsOf(asked);
    const parts = bestParts(candidates, asked.workload, components);
    const errorBy = (of: readonly number[]) => searchedError(asked, components, candidates, of);
    expect(errorOf(asked, candidates, parts) / errorBy(parts)).toBeCloseTo(1, 5);
    expect(errorBy(parts) / leastByMoves(errorBy, parts.length)).toBeLessThan(1.002);
    expect(errorBy(parts)).toBeGreaterThan(0.9999 * leastOf(asked));
  });
});

/** The same by the components, for searches. */
function searchedError(
  { workload }: Case,
  components: Components,
  candidates: readonly Candidate[],
  parts: readonly number[],
): number {
  const measured = candidates.map((of, at) => ({ ...of, sigma2: of.cost / Math.max(1e-12, parts[at]) }));
  const precisions = components.precisions(measured);
  return workload.reduce(
    (sum, { columns, weight }) => sum + weight * components.cellsOf(columns) * components.variance(columns, precisions),
    0,
  );
}

/** Parts of the budget are moved from table to table as long as that lowers the error. */
function leastByMoves(errorBy: (parts: readonly number[]) => number, count: number): number {
  let parts = new Array<number>(count).fill(1 / count);
  let least = errorBy(parts);
  for (let step = 0.5; step > 1e-5; ) {
    const before = least;
    for (const from of parts.keys())
      for (const to of parts.keys()) {
        if (from === to) continue;
        const moved = parts[from] * step;
        const tried = parts.map((part, at) => part + (at === to ? moved : 0) - (at === from ? moved : 0));
        const error = errorBy(tried);
        if (error < least) [least, parts] = [error, tried];
      }
    if (before - least < 1e-5 * least) step /= 2;
  }
  return least;
}

it("leaves out what others say at a lower price", () => {
  const asked = { sizes: [2, 3], workload: even([[0, 1]]) };
  const dear: Candidate = { columns: [0, 1], centred: [0], cost: 20 };
  const candidates = [...candidatesOf(asked, (columns) => columns), dear];
  expect(bestParts(candidates, asked.workload, componentsOf(asked))[candidates.length - 1]).toBe(0);
});
