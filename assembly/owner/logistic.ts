// Multinomial logistic regression on rows of codes. A row has one feature per column: its code, times a value where
// the column has numbers; or, of two columns together, the pair of their codes. So sums over rows go to codes, and no
// row is written out as one number per code.
//
// The weights of a feature stand together, one for each class that has weights. Of two classes only the second has any,
// as in binomial regression. Feature 0 is the intercept.
import { exponential } from "../elementary";
import {
  EXAMPLES_AT_ONCE,
  EXAMPLES_COLUMNS,
  EXAMPLES_COUNT,
  EXAMPLES_PART,
  EXAMPLES_PARTS,
  EXAMPLES_ROWS,
  EXAMPLES_TARGET,
  FEATURE_BYTES,
  FEATURE_CODES,
  FEATURE_FIRST,
  FEATURE_OTHER,
  FEATURE_TIMES,
  FEATURE_VALUES,
} from "../examples-layout";

/** Smaller powers of e are taken to be this one. */
const LEAST_EXPONENT: f64 = -700;

/** The target's code in a row; `size` or more if the row is of another part, or its target is missing. */
@inline
function targetOf(examples: usize, row: u32, size: u32): u32 {
  const part = load<u8>(load<usize>(examples, EXAMPLES_PARTS) + row);
  if (part != load<u32>(examples, EXAMPLES_PART)) return size;
  return load<u16>(load<usize>(examples, EXAMPLES_TARGET) + (<usize>row << 1));
}

@inline
function columnsEnd(examples: usize): usize {
  return examples + EXAMPLES_COLUMNS + <usize>load<u32>(examples, EXAMPLES_COUNT) * FEATURE_BYTES;
}

/** The code of a row's feature. @param other the codes of a second column, for pairs; 0 if there is none */
@inline
function codeOf(codes: usize, other: usize, times: u32, row: usize): u32 {
  const code = <u32>load<u16>(codes + (row << 1));
  return other ? code * times + load<u16>(other + (row << 1)) : code;
}

/** The bytes of a feature's weights. */
@inline
function weightBytes(classes: u32): usize {
  return (<usize>(classes == 2 ? 1 : classes)) << 3;
}

/**
 * Adds the weights of rows' features to their scores f64[rows][classes]; or `back`, rows' errors, in the place of the
 * scores, to their features' part of the gradient, in the place of the weights.
 */
function pass(examples: usize, row: u32, rows: usize, classes: u32, weights: usize, scores: usize, back: bool): void {
  const bytes = weightBytes(classes);
  const step = <usize>classes << 3;
  const first = scores + step - bytes;
  const last = first + rows * step;
  for (let at = first; at < last; at += step) addTimes(at, weights, 1, bytes, back);
  const end = columnsEnd(examples);
  for (let column = examples + EXAMPLES_COLUMNS; column < end; column += FEATURE_BYTES) {
    const features = weights + load<u32>(column, FEATURE_FIRST) * bytes;
    const codes = load<usize>(column, FEATURE_CODES);
    const values = load<usize>(column, FEATURE_VALUES);
    const other = load<usize>(column, FEATURE_OTHER);
    const times = load<u32>(column, FEATURE_TIMES);
    for (let at = first, own: usize = row; at < last; at += step, own++) {
      const feature = features + codeOf(codes, other, times, own) * bytes;
      addTimes(at, feature, values ? load<f64>(values + (own << 3)) : 1, bytes, back);
    }
  }
}

/** Adds the second doubles, times a factor, to the first; or `back`, the first to the second. */
@inline
function addTimes(scores: usize, weights: usize, factor: f64, bytes: usize, back: bool): void {
  const from = back ? scores : weights;
  const to = back ? weights : scores;
  let at: usize = 0;
  do {
    store<f64>(to + at, load<f64>(to + at) + factor * load<f64>(from + at));
    at += 8;
  } while (at < bytes);
}

/** The class with the largest score, the first of several. */
function bestOf(scores: usize, classes: u32): u32 {
  let best: u32 = 0;
  for (let slot: u32 = 1; slot < classes; slot++)
    if (load<f64>(scores + (<usize>slot << 3)) > load<f64>(scores + (<usize>best << 3))) best = slot;
  return best;
}

@inline
function increment(counts: usize, code: u32): void {
  const at = counts + (<usize>code << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/**
 * Counts the examples by the code of their target, and adds up the squares of their features' values.
 * @param size the target's codes, without missing
 * @param counts u32[size], zeroed
 * @param squares f64[features], zeroed
 */
export function sumExamples(examples: usize, size: u32, counts: usize, squares: usize): void {
  const rows = load<u32>(examples, EXAMPLES_ROWS);
  const end = columnsEnd(examples);
  for (let row: u32 = 0; row < rows; row++) {
    const code = targetOf(examples, row, size);
    if (code >= size) continue;
    increment(counts, code);
    store<f64>(squares, load<f64>(squares) + 1);
    for (let column = examples + EXAMPLES_COLUMNS; column < end; column += FEATURE_BYTES) {
      const other = load<usize>(column, FEATURE_OTHER);
      const code = codeOf(load<usize>(column, FEATURE_CODES), other, load<u32>(column, FEATURE_TIMES), row);
      const feature = load<u32>(column, FEATURE_FIRST) + code;
      const values = load<usize>(column, FEATURE_VALUES);
      const value = values ? load<f64>(values + (<usize>row << 3)) : 1;
      const square = squares + (<usize>feature << 3);
      store<f64>(square, load<f64>(square) + value * value);
    }
  }
}

/**
 * Adds the gradient of the examples' −Σ log p(class).
 * @param slots u16[size]: the class of each code of the target
 * @param size the target's codes, without missing
 * @param classes at least 1
 * @param gradient as the weights, zeroed
 * @param scratch f64[EXAMPLES_AT_ONCE][classes]
 */
export function logisticGradient(
  examples: usize,
  slots: usize,
  size: u32,
  classes: u32,
  weights: usize,
  gradient: usize,
  scratch: usize,
): void {
  const rows = load<u32>(examples, EXAMPLES_ROWS);
  const step = <usize>classes << 3;
  for (let first: u32 = 0; first < rows; first += EXAMPLES_AT_ONCE) {
    const count = min<u32>(rows - first, EXAMPLES_AT_ONCE);
    memory.fill(scratch, 0, count * step);
    pass(examples, first, count, classes, weights, scratch, false);
    let errors = scratch;
    for (let row = first; row < first + count; row++, errors += step) {
      const code = targetOf(examples, row, size);
      if (code >= size) {
        memory.fill(errors, 0, step);
        continue;
      }
      probabilities(errors, classes);
      const own = errors + ((<usize>load<u16>(slots + (<usize>code << 1))) << 3);
      store<f64>(own, load<f64>(own) - 1);
    }
    pass(examples, first, count, classes, gradient, scratch, true);
  }
}

/** Replaces scores with the probabilities of their classes. */
function probabilities(scores: usize, classes: u32): void {
  const end = scores + (<usize>classes << 3);
  const most = load<f64>(scores + (<usize>bestOf(scores, classes) << 3));
  let sum: f64 = 0;
  for (let at = scores; at < end; at += 8) {
    const exponent = load<f64>(at) - most;
    const power = exponent ? exponential(max(exponent, LEAST_EXPONENT)) : 1;
    store<f64>(at, power);
    sum += power;
  }
  for (let at = scores; at < end; at += 8) store<f64>(at, load<f64>(at) / sum);
}

/**
 * Predicts the class of each example.
 * @param size the target's codes, without missing
 * @param codes u16[classes]: the code of each class
 * @param predicted u32[size], zeroed: how often each code is predicted
 * @param hits u32[size], zeroed: how often rightly so
 * @param scratch f64[classes]
 */
export function logisticHits(
  examples: usize,
  size: u32,
  codes: usize,
  classes: u32,
  weights: usize,
  predicted: usize,
  hits: usize,
  scratch: usize,
): void {
  const rows = load<u32>(examples, EXAMPLES_ROWS);
  for (let row: u32 = 0; row < rows; row++) {
    const code = targetOf(examples, row, size);
    if (code >= size) continue;
    memory.fill(scratch, 0, <usize>classes << 3);
    pass(examples, row, 1, classes, weights, scratch, false);
    const guess = <u32>load<u16>(codes + (<usize>bestOf(scratch, classes) << 1));
    increment(predicted, guess);
    if (guess == code) increment(hits, code);
  }
}
