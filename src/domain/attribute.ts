/**
 * One modelled column as queries see it: cells 0 … size − 1. A tree column has the 32 leaves of a binary tree. A column
 * that may be missing has one more cell, which comes last. Rows have the cells as their codes, unless the column has
 * finer ones.
 */
export interface Attribute {
  readonly name: string;
  readonly size: number;
  readonly tree: boolean;
  readonly missing: boolean;
  /** Whether the codes (except missing) are ordered, as those of numbers, dates and times are; absent means no. */
  readonly ordered?: boolean;
  /**
   * Of a tree column whose values a plan compares with thresholds: the number of codes that its rows have, besides
   * missing, 32 to 65,534. Code c lies in leaf ⌊32·c/fine⌋.
   */
  readonly fine?: number;
}

/** The number of codes that the rows have in a column, missing included. */
export const codesOf = ({ size, missing, fine }: Attribute): number =>
  fine === undefined ? size : fine + Number(missing);

/** The number of codes that are values. */
export const valuesOf = (attribute: Attribute): number => codesOf(attribute) - Number(attribute.missing);
