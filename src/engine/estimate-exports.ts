/** The exports of assembly/estimate/. */
export interface EstimateExports {
  toHaar(vector: number, stride: number, count: number): void;
  fromHaar(vector: number, stride: number, count: number): void;
  soften(cells: number, count: number, sigma: number): void;
  addMargin(
    query: number,
    margin: number,
    answers: number,
    sigma2: number,
    sums: number,
    precisions: number,
    scratch: number,
  ): void;
  addInteraction(
    query: number,
    margin: number,
    centred: number,
    answers: number,
    sigma2: number,
    expected: number,
    sums: number,
    precisions: number,
    scratch: number,
  ): void;
  fitMargins(query: number, table: number, margins: number, rounds: number, scratch: number): void;
  shrinkTable(
    query: number,
    ordered: number,
    table: number,
    implied: number,
    sums: number,
    precisions: number,
    scratch: number,
  ): void;
  dependenceOf(table: number, first: number, rows: number, second: number, columns: number, total: number): number;
  chainInteraction(
    left: number,
    isLeftLast: number,
    right: number,
    isRightLast: number,
    middle: number,
    codes: number,
    first: number,
    rows: number,
    second: number,
    columns: number,
    total: number,
    out: number,
    scratch: number,
  ): void;
  fitChains(
    query: number,
    implied: number,
    chains: number,
    count: number,
    sums: number,
    precisions: number,
    weights: number,
    scratch: number,
  ): void;
  weighChains(implied: number, chains: number, count: number, cells: number, weights: number): void;
  addChains(table: number, chains: number, count: number, cells: number, weights: number): void;
  publicRowsTable(query: number, counts: number, total: number, table: number, margins: number, scratch: number): void;
  correctPublicTable(
    query: number,
    ordered: number,
    table: number,
    sums: number,
    precisions: number,
    sampling: number,
    scratch: number,
  ): void;
}
