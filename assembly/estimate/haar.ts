// The orthonormal Haar basis on any number of ordered codes. Each run of codes is split in the middle, and one
// coefficient describes how the halves differ (an unbalanced Haar basis where a run has odd length). Functions that
// vary slowly over the codes need only few coefficients.

/**
 * Replaces `count` ≥ 1 doubles, `stride` bytes apart, by their coefficients. The coefficient of the whole comes first;
 * that of each split is stored where its right half began.
 */
export function toHaar(vector: usize, stride: usize, count: u32): void {
  const sum = takeRun(vector, stride, 0, count);
  store<f64>(vector, sum / sqrt<f64>(count));
}

/** The inverse transform. */
export function fromHaar(vector: usize, stride: usize, count: u32): void {
  fillRun(vector, stride, 0, count, load<f64>(vector) / sqrt<f64>(count));
}

/**
 * The sum of the run `from` … `to` − 1. A split's position is free once its halves are summed, since both have read it.
 */
function takeRun(vector: usize, stride: usize, from: u32, to: u32): f64 {
  if (to - from == 1) return load<f64>(vector + from * stride);
  const middle = (from + to) >> 1;
  const left = takeRun(vector, stride, from, middle);
  const right = takeRun(vector, stride, middle, to);
  const a = <f64>(middle - from);
  const b = <f64>(to - middle);
  store<f64>(vector + middle * stride, sqrt((a * b) / (a + b)) * (left / a - right / b));
  return left + right;
}

function fillRun(vector: usize, stride: usize, from: u32, to: u32, mean: f64): void {
  if (to - from == 1) return store<f64>(vector + from * stride, mean);
  const middle = (from + to) >> 1;
  const a = <f64>(middle - from);
  const b = <f64>(to - middle);
  const difference = load<f64>(vector + middle * stride) * sqrt((a * b) / (a + b));
  fillRun(vector, stride, from, middle, mean + difference / a);
  fillRun(vector, stride, middle, to, mean - difference / b);
}
