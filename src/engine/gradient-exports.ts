/** The exports of assembly/gradient/. */
export interface GradientExports {
  matrixProduct(
    a: number,
    b: number,
    out: number,
    rows: number,
    inner: number,
    columns: number,
    transposedA: boolean,
    transposedB: boolean,
    adds: boolean,
    scratch: number,
  ): void;
  softmax(x: number, blocks: number, count: number, rows: number, out: number): void;
  softmaxGradient(p: number, slope: number, blocks: number, count: number, rows: number, into: number): void;
  sparsemax(x: number, blocks: number, count: number, rows: number, out: number): void;
  sparsemaxGradient(p: number, slope: number, blocks: number, count: number, rows: number, into: number): void;
  productQueries(x: number, rows: number, lines: number, order: number, count: number, answers: number): void;
  productQueriesGradient(
    x: number,
    rows: number,
    lines: number,
    order: number,
    starts: number,
    width: number,
    places: number,
    slope: number,
    into: number,
  ): void;
  sigmoid(sums: number, rows: number, count: number, thresholds: number, scale: number, out: number): void;
  sigmoidGradient(p: number, slope: number, count: number, scale: number, into: number): void;
  adam(
    parameters: number,
    slope: number,
    first: number,
    second: number,
    count: number,
    step: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
  batchNorm(
    x: number,
    rows: number,
    lines: number,
    gain: number,
    bias: number,
    epsilon: number,
    out: number,
    statistics: number,
  ): void;
  batchNormGradient(
    x: number,
    rows: number,
    lines: number,
    gain: number,
    statistics: number,
    slope: number,
    into: number,
    intoGain: number,
    intoBias: number,
  ): void;
}
