/**
 * One modelled column as queries see it: codes 0 … size − 1. A tree column has the 32 leaves of a binary tree; a column that
 * may be missing has one more code, last.
 */
export interface Attribute {
  readonly name: string;
  readonly size: number;
  readonly tree: boolean;
  readonly missing: boolean;
}
