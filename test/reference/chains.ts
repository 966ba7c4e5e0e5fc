import { type NoisyTable, roomOf } from "./shrinkage.js";

type Table = readonly (readonly number[])[];

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * φ²: the squared differences from independent columns, each as a fraction of what these would have. Cells have no
 * fewer rows than 0, and no more than either of their codes.
 */
export function dependence(table: Table, first: readonly number[], second: readonly number[], total: number): number {
  const parts = table.flatMap((row, a) =>
    row.map((count, b) => {
      const expected = (first[a] * second[b]) / total;
      const possible = Math.max(0, Math.min(count, first[a], second[b]));
      return expected > 0 ? (possible - expected) ** 2 / expected : 0;
    }),
  );
  return sum(parts) / total;
}

/**
 * The interaction of the ends of a chain: the table that they would have if they were independent given the middle
 * column, less that of independent columns. What a code of the middle column says of an end differs from independent
 * columns by no more than twice its rows.
 * @param left counts by codes of the middle column, then of the first end
 * @param right the same for the second end
 */
export function chain(
  left: Table,
  right: Table,
  middle: readonly number[],
  [first, second]: readonly (readonly number[])[],
  total: number,
): number[][] {
  const beyond = (counts: readonly number[], of: readonly number[], count: number) => {
    const parts = counts.map((found, at) => found - (count * of[at]) / total);
    const scale = Math.min(1, (2 * count) / sum(parts.map(Math.abs)));
    return parts.map((part) => part * scale);
  };
  const from = middle.map((count, code) => beyond(left[code], first, count));
  const to = middle.map((count, code) => beyond(right[code], second, count));
  return first.map((_, a) =>
    second.map((_, b) => sum(middle.map((count, code) => (count > 0 ? (from[code][a] * to[code][b]) / count : 0)))),
  );
}

/**
 * The weights that bring chains closest to the measured cells, each of which counts by the inverse of its variance:
 * that of its noise and, unless an axis is a tree, that of chance. Weights themselves are expected to be 0, give or
 * take ½. Those below 0 are left out, until there are none.
 * @param chains and expected counts, in the tree bases of the axes
 */
export function chainWeights(
  { axes, implied, sums, precisions }: NoisyTable,
  expected: readonly number[],
  chains: readonly (readonly number[])[],
): number[] {
  const byChance = !axes.some(({ tree }) => tree);
  const deviations = precisions.map((precision) => 1 / Math.sqrt(precision));
  const room = roomOf(axes, implied, deviations);
  const parts = precisions.map((precision, at) => {
    const chance = byChance ? Math.max(0, expected[at]) : 0;
    return room[at] ? 1 / (1 / precision + chance) : 0;
  });
  const beyond = sums.map((x, at) => x / precisions[at] - expected[at]);
  const product = (x: readonly number[], y: readonly number[]) => sum(x.map((value, at) => parts[at] * value * y[at]));
  let used = [...chains.keys()];
  while (true) {
    const matrix = used.map((one) => used.map((two) => product(chains[one], chains[two]) + (one === two ? 4 : 0)));
    const found = solved(
      matrix,
      used.map((one) => product(chains[one], beyond)),
    );
    if (found.every((weight) => weight >= 0)) return chains.map((_, at) => found[used.indexOf(at)] ?? 0);
    used = used.filter((_, at) => found[at] >= 0);
  }
}

/** Gauss and Jordan's elimination, with exchanged rows. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  let rows = matrix.map((row, at) => [...row, right[at]]);
  for (const column of rows.keys()) {
    const left = rows.slice(column).sort((a, b) => Math.abs(b[column]) - Math.abs(a[column]));
    rows = [...rows.slice(0, column), ...left];
    const pivot = rows[column].map((x) => x / rows[column][column]);
    rows = rows.map((row, at) => (at === column ? pivot : row.map((x, place) => x - row[column] * pivot[place])));
  }
  return rows.map((row) => row[rows.length]);
}

/** Weights in proportion to the dependence that each chain implies, 1 in total. */
export function shares(implied: readonly number[], chains: readonly (readonly number[])[]): number[] {
  const strengths = chains.map((cells) => sum(cells.map((x, at) => (implied[at] > 0 ? x ** 2 / implied[at] : 0))));
  const all = sum(strengths);
  return strengths.map((strength) => (all > 0 ? strength / all : 0));
}
