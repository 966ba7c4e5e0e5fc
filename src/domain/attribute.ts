/**
 * One modelled column as queries see it: codes 0 … size − 1. A tree column has the 32 leaves of a binary tree. A column
 * that may be missing has one more code, which comes last.
 */
export interface Attribute {
  readonly name: string;
  readonly size: number;
  readonly tree: boolean;
  readonly missing: boolean;
  /** Whether the codes (except missing) are ordered, as those of numbers, dates and times are; absent means no. */
  readonly ordered?: boolean;
}
