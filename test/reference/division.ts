/**
 * A query that shares the budget: the columns, the number of codes of each, and its levels (1 if no tree). Its cost is
 * that of its levels, or less than 1 for an interaction.
 */
export interface Claim {
  readonly columns: readonly number[];
  readonly levels: number;
  readonly cost: number;
  readonly weight: number;
  /** Whether it is a candidate. */
  readonly open: boolean;
}

/** What the error of a division depends on, as the engine's DIVISION states it. */
export interface Facts {
  /** For each column, the rows of each code. */
  readonly counts: readonly (readonly number[])[];
  readonly oneWays: readonly Claim[];
  readonly tables: readonly Claim[];
  readonly ranks: readonly { readonly from: number; readonly to: number; readonly wrong: number }[];
  readonly candidates: number;
  readonly leastGroups: number;
  readonly unit: number;
  readonly known: number;
  readonly rows: number;
  readonly times: number;
  readonly oneWaysWeight: number;
  readonly fixedWeight: number;
  readonly candidateWeight: number;
  readonly mostWrong: number;
  readonly kept: number;
  readonly leastCount: number;
  readonly mostNoise: number;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const product = (values: readonly number[]) => values.reduce((a, b) => a * b, 1);

/** The expected L1 error of all tables of a workload, from the counts themselves. */
export function predictedError(facts: Facts, picks: number, again: number, part: number): number {
  const { counts, unit, rows, times } = facts;
  const chosen = facts.candidates ? picks / facts.candidates : 0;
  const measured = facts.fixedWeight + picks * facts.candidateWeight;
  const tables = facts.tables.map((claim) => {
    const sigma = part ? Math.sqrt((unit * claim.cost * measured) / (part * claim.weight)) : Number.POSITIVE_INFINITY;
    const sizes = claim.columns.map((column) => counts[column].length);
    return { ...claim, sigma, sizes, shape: shapeOf(claim, sizes, (facts.mostNoise * rows) / sigma, facts, part) };
  });

  const errors = counts.map((list, column) => {
    const bought = facts.oneWays
      .filter((one) => one.columns[0] === column)
      .map(({ weight, cost }) => ((facts.known + again) * weight) / (facts.oneWaysWeight * cost * unit));
    const summed = tables.flatMap(({ columns, sizes, shape, sigma, open, cost }) => {
      const axis = columns.indexOf(column);
      if (cost < 1 || axis < 0 || shape[axis] !== sizes[axis]) return [];
      return (times * (open ? chosen : 1) * sizes[axis]) / (product(shape) * sigma ** 2);
    });
    const sigma = 1 / Math.sqrt(sum([...bought, ...summed]));
    return sum(list.map((count) => Math.min(count, sigma)));
  });

  const tableErrors = tables.map(({ columns, sizes, shape, sigma, open }) => {
    const margins = Math.sqrt(sum(columns.map((column) => errors[column] ** 2)));
    if (columns.length < 2) return margins;
    const isLarge = (count: number) => count >= facts.leastCount * sigma;
    const whole = shape.map((size, axis) => size === sizes[axis]);
    const seen = shape.map((size, axis) => (whole[axis] ? counts[columns[axis]].filter(isLarge).length : size));
    const told = product(
      columns.map((column, axis) =>
        whole[axis] ? 1 - sum(counts[column].filter((count) => !isLarge(count))) / rows : 1,
      ),
    );
    const others = seen.map((_, axis) => product(seen.toSpliced(axis, 1)));
    const noise = facts.kept * sigma * Math.sqrt(product(seen) * sum(others));
    const withMargins = (error: number) => Math.hypot(margins, error);
    const ifMeasured = (wrong: number) => {
      if (!product(seen)) return wrong;
      return (1 - told) * wrong + 1 / Math.hypot(1 / noise, 1 / (told * wrong));
    };
    if (!open) return withMargins(ifMeasured(facts.mostWrong * rows));
    return sum(
      facts.ranks.map(({ from, to, wrong }) => {
        const share = Math.max(0, Math.min(1, (chosen - from) / (to - from)));
        const error = share === 0 ? 0 : share * withMargins(ifMeasured(wrong * rows));
        return (to - from) * (error + (1 - share) * withMargins(wrong * rows));
      }),
    );
  });
  return times * sum(tableErrors);
}

/** The numbers of codes, or groups of codes, with which a table is measured. */
function shapeOf({ levels }: Claim, sizes: readonly number[], cells: number, { leastGroups }: Facts, part: number) {
  if (!part || levels > 1 || sizes.length !== 2) return sizes;
  const [small, large] = [...sizes].sort((a, b) => a - b);
  const most = small * small >= cells ? Math.sqrt(cells) : cells / small;
  const limit = large * small <= cells ? large : Math.max(leastGroups, Math.floor(most));
  return sizes.map((size) => Math.min(size, limit));
}
