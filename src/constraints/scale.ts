import type { CategoryDomain } from "../domain/categories.js";
import type { Field } from "../domain/field.js";
import type { Grid } from "../domain/grid.js";
import { missingCode } from "../domain/stored.js";
import { type Decimal, trimmed, unitsAt } from "../notation/decimal.js";

/** The values of a column in ascending order, as constraints see them. */
export type Scale = {
  /** The codes that queries see, without missing. */
  readonly codes: number;
  /** The first grid point of each code. */
  readonly starts: Float64Array | undefined;
  /** How many values there are, without missing. */
  readonly values: number;
  /** The stored code of a missing cell. */
  readonly missing: number | undefined;
} & (
  | /** Grid points with the numbers base + i·step, whole and exact in f64. */ {
      readonly kind: "even";
      readonly base: number;
      readonly step: number;
    }
  | /** Categories with whole numbers: ascending, and the category that has each. */ {
      readonly kind: "listed";
      readonly numbers: Float64Array;
      readonly order: Uint32Array;
    }
  | /** Values that are not compared. */ { readonly kind: "plain" }
);

/** Numbers stay below this, so their sums, differences and quotients by steps are exact in f64. */
export const MOST_NUMBER = 2 ** 52;

/** The fewest decimal places that represent all numbers of a column. */
export function placesOf(field: Field): number {
  const domain = field.domain!;
  if (domain.kind === "grid") return Math.max(...[0, 1].map((point) => trimmed(decimalAt(domain, point)).scale));
  return Math.max(...decimalsOf(field, domain).map(({ scale }) => scale));
}

/** A column's numbers in units of 10^−places. @returns `undefined` where one of them is MOST_NUMBER or more */
export function numberScale(field: Field, places: number): Scale | undefined {
  const domain = field.domain!;
  const common = valuesOf(field);
  if (domain.kind === "category") {
    const numbers = decimalsOf(field, domain).map((number) => Number(unitsAt(number, places)));
    if (numbers.some((number) => Math.abs(number) >= MOST_NUMBER)) return undefined;
    const order = [...numbers.keys()].sort((a, b) => numbers[a] - numbers[b]);
    const ascending = Float64Array.from(order, (code) => numbers[code]);
    return { ...common, kind: "listed", numbers: ascending, order: Uint32Array.from(order) };
  }
  const [first, second, last] = [0, 1, domain.points - 1].map((point) =>
    Number(unitsAt(trimmed(decimalAt(domain, point)), places)),
  );
  if (Math.max(Math.abs(first), Math.abs(last)) >= MOST_NUMBER) return undefined;
  return { ...common, kind: "even", base: first, step: second - first };
}

/** The scale of a column whose values are not compared. */
export const plainScale = (field: Field): Scale => ({ ...valuesOf(field), kind: "plain" });

/** The largest magnitude of a scale's numbers. */
export function largest(scale: Scale): number {
  if (scale.kind === "plain") return 0;
  const last = scale.values - 1;
  const [least, most] =
    scale.kind === "even" ? [scale.base, scale.base + last * scale.step] : [scale.numbers[0], scale.numbers[last]];
  return Math.max(Math.abs(least), Math.abs(most));
}

function valuesOf(field: Field) {
  const domain = field.domain!;
  const grid = domain.kind === "grid";
  return {
    codes: grid ? domain.starts.length : domain.labels.length,
    starts: grid ? domain.starts : undefined,
    values: grid ? domain.points : domain.labels.length,
    missing: missingCode(field),
  };
}

const decimalAt = ({ minimum, step, scale }: Grid, point: number): Decimal => ({
  units: minimum + BigInt(point) * step,
  scale,
});

const decimalsOf = ({ notation }: Field, { labels }: CategoryDomain): Decimal[] =>
  labels.map((label) => trimmed(notation!.read(label)!));
